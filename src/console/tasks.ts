import type { ComponentType } from 'preact';
import { hasRole, type Viewer } from './data/index.ts';

/** Module of a task. Its default export renders the task, including its page heading. */
interface TaskModule {
  readonly default: ComponentType;
}

/** Task of the console. */
export interface Task {
  /** First segment of the URL path after `/console/`. */
  readonly path: string;
  readonly title: string;
  /** Sentence about what the viewer can do in the task. */
  readonly summary: string;
  /** Whether the viewer may use the task. The service checks the permissions of each request regardless. */
  isPermitted(viewer: Viewer): boolean;
  /** Loads the code of the task. */
  load(): Promise<TaskModule>;
}

/** All tasks, in the order of the navigation. */
export const tasks: readonly Task[] = [
  {
    path: 'approvals',
    title: 'Approvals',
    summary: 'Approve or decline sponsors, images and biographies before the public sees them.',
    isPermitted: (viewer) => hasRole(viewer, 'CONTENT_CONFIRMER'),
    load: () => import('./approvals/approvals.tsx'),
  },
  {
    path: 'users',
    title: 'Users',
    summary: 'Find users, and manage their sessions and personal data. Super admins also manage roles.',
    isPermitted: (viewer) => hasRole(viewer, 'ADMIN'),
    load: () => import('./users/users.tsx'),
  },
  {
    path: 'platforms',
    title: 'Platforms',
    summary: 'See platforms and their usage. Super admins also manage tokens and keys, and deprecate routes.',
    isPermitted: (viewer) => hasRole(viewer, 'ADMIN'),
    load: () => import('./platforms/platforms.tsx'),
  },
  {
    path: 'webhooks',
    title: 'Webhooks',
    summary: 'Create, test and pause the webhooks of platforms, and see and resend their deliveries.',
    isPermitted: ({ isSuperAdmin }) => isSuperAdmin === true,
    load: () => import('./webhooks/webhooks.tsx'),
  },
  {
    path: 'data',
    title: 'Data',
    summary: 'Browse records, and create, change and delete those that your roles permit.',
    isPermitted: (viewer) => ['ADMIN', 'REFEREE', 'NEWS_CREATOR'].some((role) => hasRole(viewer, role)),
    load: () => import('./records/records.tsx'),
  },
  {
    path: 'operations',
    title: 'Operations',
    summary: 'See the state of the service, retry failed messages and jobs, and search the audit trail.',
    isPermitted: (viewer) => hasRole(viewer, 'ADMIN'),
    load: () => import('./operations/operations.tsx'),
  },
];
