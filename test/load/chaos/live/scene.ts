import type { Scene } from '../scene.js';
import { type Scale, startLive } from './live.js';

/** Starts writers and followers in a scene. Violated guarantees are recorded in the scene. */
export async function liveIn(
  scene: Scene<{ url: string; stop(): Promise<void> }>,
  origins: () => readonly string[],
  scale: Scale = {},
): Promise<{ counted(within: number): Promise<string>; acknowledged(): number }> {
  const live = await startLive(scene.postgres.url, origins, scale);
  scene.resources.add(() => live.stop());
  return {
    acknowledged: live.acknowledged,
    async counted(within) {
      const { figures, broken } = await live.counted(within);
      for (const violation of broken) scene.promise(false, violation);
      return figures;
    },
  };
}
