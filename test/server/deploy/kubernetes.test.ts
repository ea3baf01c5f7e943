import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { variables } from '../../../src/config/index.js';

const folder = 'docs/deploy/kubernetes';
const kustomization = parse(readFileSync(join(folder, 'kustomization.yaml'), 'utf8'));
const files = readdirSync(folder).filter((name) => name !== 'kustomization.yaml');
// biome-ignore lint/suspicious/noExplicitAny: the schemas check the types
const manifest = (name: string): any => parse(readFileSync(join(folder, name), 'utf8'), { version: '1.1', merge: true });

const { kinds, definitions } = JSON.parse(readFileSync('test/server/deploy/kubernetes-schemas.json', 'utf8'));
const ajv = new Ajv({ strict: false, allErrors: true }).addSchema({ definitions }, 'kubernetes');

/** Returns the differences between a manifest and the schema of its kind. */
function problemsOf(value: { apiVersion?: string; kind?: string }): string[] {
  const definition = kinds[`${value.kind} ${value.apiVersion}`] ?? expect.fail(`no schema of ${value.kind}`);
  const validate = ajv.compile({ $ref: `kubernetes#/definitions/${definition}` });
  validate(value);
  return (validate.errors ?? []).map(
    ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
  );
}

test('kustomization.yaml lists all manifests', () => {
  expect(kustomization.resources).toEqual(files.toSorted());
});

test.for(files)('%s follows the schema of Kubernetes', (name) => {
  expect(problemsOf(manifest(name))).toEqual([]);
});

test('the schemas reject unknown properties, missing properties and wrong types', () => {
  const deployment = manifest('deployment.yaml');
  deployment.spec.template.spec.containers[0].livenessProb = {};
  deployment.spec.template.spec.terminationGracePeriodSeconds = '40';
  delete deployment.spec.selector;
  expect(problemsOf(deployment)).toEqual([
    `/spec must have required property 'selector' {"missingProperty":"selector"}`,
    `/spec/template/spec/containers/0 must NOT have additional properties {"additionalProperty":"livenessProb"}`,
    `/spec/template/spec/terminationGracePeriodSeconds must be integer {"type":"integer"}`,
  ]);
});

describe('the manifests match the service and each other', () => {
  const settings = manifest('config.yaml').data;
  const { spec: deployment, metadata } = manifest('deployment.yaml');
  const pod = deployment.template.spec;
  const [container] = pod.containers;
  const job = manifest('migrate.yaml').spec.template.spec;
  const secretVariables = new Map(variables.flatMap(({ name, isSecret }) => (isSecret ? [[`${name}_FILE`, name]] : [])));

  test('all variables exist, and secrets are files of mounted volumes', () => {
    const names = new Set([...variables.map(({ name }) => name), ...secretVariables.keys()]);
    const jobSettings = Object.fromEntries(job.containers[0].env.map(({ name, value }: Record<string, string>) => [name, value]));
    const mountsOf = ({ volumeMounts }: { volumeMounts: { mountPath: string }[] }) =>
      volumeMounts.map(({ mountPath }) => `${mountPath}/`);
    const outside = (values: Record<string, string>, mounts: string[]) =>
      Object.entries(values)
        .filter(([name, path]) => name.endsWith('_FILE') && !mounts.some((mount) => path.startsWith(mount)))
        .map(([name]) => name);
    expect({
      unknown: [...Object.keys(settings), ...Object.keys(jobSettings)].filter((name) => !names.has(name)),
      plainSecrets: Object.keys(settings).filter((name) => [...secretVariables.values()].includes(name)),
      filesOutside: [...outside(settings, mountsOf(container)), ...outside(jobSettings, mountsOf(job.containers[0]))],
    }).toEqual({ unknown: [], plainSecrets: [], filesOutside: [] });
  });

  test('ports and probes are those of the service', () => {
    const [, imagePort] = /^ENV .*\bPORT=(\d+)/m.exec(readFileSync('Dockerfile', 'utf8')) ?? [];
    expect({
      ports: container.ports,
      service: manifest('service.yaml').spec.ports[0].targetPort,
      policy: manifest('network-policy.yaml').spec.ingress.map(({ ports }: { ports: { port: string }[] }) => ports[0]?.port),
      monitor: manifest('pod-monitor.yaml').spec.podMetricsEndpoints[0].port,
      probes: [container.startupProbe, container.livenessProbe, container.readinessProbe].map(({ httpGet }) => httpGet),
    }).toEqual({
      ports: [
        { name: 'http', containerPort: Number(imagePort) },
        { name: 'metrics', containerPort: Number(settings.METRICS_PORT) },
      ],
      service: 'http',
      policy: ['http', 'metrics'],
      monitor: 'metrics',
      probes: ['/livez', '/livez', '/readyz'].map((path) => ({ path, port: 'http' })),
    });
  });

  test('a pod has time to drain and to finish its requests', () => {
    const [, closing] = /delay: (\d+)_000/.exec(readFileSync('src/server/lifecycle/close-gracefully.ts', 'utf8')) ?? [];
    expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(Number(settings.DRAIN_DELAY) + Number(closing));
    expect(deployment.progressDeadlineSeconds).toBeGreaterThan(Number(settings.MIGRATE_WAIT));
    // The readiness check fails and the pod is removed from the Service's endpoints, but it still accepts requests.
    const { periodSeconds, failureThreshold, timeoutSeconds } = container.readinessProbe;
    expect(Number(settings.DRAIN_DELAY)).toBeGreaterThanOrEqual(periodSeconds * failureThreshold + timeoutSeconds);
  });

  test('the selectors match the labels of the pods', () => {
    const { labels } = deployment.template.metadata;
    expect({
      deployment: deployment.selector.matchLabels,
      service: manifest('service.yaml').spec.selector,
      budget: manifest('disruption-budget.yaml').spec.selector.matchLabels,
      monitor: manifest('pod-monitor.yaml').spec.selector.matchLabels,
      autoscaler: manifest('autoscaler.yaml').spec.scaleTargetRef.name,
    }).toEqual({ deployment: labels, service: labels, budget: labels, monitor: labels, autoscaler: metadata.name });
  });

  test('the containers run without privileges on a read-only file system', () => {
    const rightsOf = (spec: typeof pod) => ({ ...spec.securityContext, ...spec.containers[0].securityContext });
    expect(rightsOf(pod)).toEqual(rightsOf(job));
    expect(rightsOf(pod)).toMatchObject({
      runAsNonRoot: true,
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
  });

  test('the job grants the role of docs/deploy/roles.sql', () => {
    const { args } = job.containers[0];
    expect(readFileSync('docs/deploy/roles.sql', 'utf8')).toContain(`create role ${args.at(-1)} login`);
    expect(settings.MIGRATE).toBe('false');
  });
});
