import { expect, it } from 'vitest';
import { createManifestCache } from '../../src/catalog/manifest-cache.ts';

const manifest = (name: string, project: string) => ({ name, text: `[general]\nname = "${project}"\n` });

it('parses the text at a path once, and again when it has changed', () => {
  const cache = createManifestCache();
  const first = cache.read(manifest('@Shared/p/project.toml', 'a'));
  expect(first.manifest?.general.name).toBe('a');
  expect(cache.read(manifest('@Shared/p/project.toml', 'a'))).toBe(first);
  expect(cache.read(manifest('@Shared/q/project.toml', 'a'))).not.toBe(first);
  expect(cache.read(manifest('@Shared/p/project.toml', 'b')).manifest?.general.name).toBe('b');
  expect(cache.read(manifest('@Shared/p/project.toml', 'a'))).not.toBe(first);
});

it('removes the least recently used texts', () => {
  const cache = createManifestCache();
  const [kept, lost] = [cache.read(manifest('kept', 'a')), cache.read(manifest('lost', 'a'))];
  for (let i = 0; i < 2_000; i += 1) {
    cache.read(manifest(`p${i}`, 'a'));
    expect(cache.read(manifest('kept', 'a'))).toBe(kept);
  }
  expect(cache.read(manifest('lost', 'a'))).not.toBe(lost);
});
