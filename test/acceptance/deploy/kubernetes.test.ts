import { readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { makeFolder } from '../../support/quern.ts';
import { startServer } from '../../support/server.ts';
import { hasProgram, hasTools, readBlocks, readRootFile, root, runProgram, runTool } from './tools.ts';

const folder = 'deploy/kubernetes';
const manifests = readdirSync(path.join(root, folder)).filter((name) => name !== 'kustomization.yaml');
const hasKubectl = hasProgram('kubectl', ['version', '--client'], 'Kubernetes by its client');
const container = parse(readRootFile(`${folder}/statefulset.yaml`)).spec.template.spec.containers[0];

describe('the example for Kubernetes', () => {
  it.skipIf(!hasTools).each(manifests)('%s is valid by the strict schemas of Kubernetes', (name) => {
    const file = `${folder}/${name}`;
    expect(runTool('kubernetes-validate', '--strict', file)).toMatchObject({ status: 0 });
    const wrong = path.join(makeFolder(), name);
    writeFileSync(wrong, readRootFile(file).replace('spec:', 'spec:\n  replicaz: 1'));
    expect(runTool('kubernetes-validate', '--strict', wrong).status).not.toBe(0);
  });

  it.skipIf(!hasKubectl)('is complete: kustomize prints each manifest', () => {
    const { status, output } = runProgram('kubectl', ['kustomize', folder]);
    expect(status, output).toBe(0);
    const kinds = parseAllDocuments(output).map((document) => document.toJS().kind);
    expect(kinds.toSorted()).toEqual(['Service', 'StatefulSet']);
  });

  it.skipIf(!hasKubectl)('has a documented command for the secret that it names', () => {
    const command = readBlocks('docs/guides/deploy-kubernetes.md', 'sh').find((block) =>
      block.includes('secret'),
    )!;
    const dry = `${command.trimEnd()} --dry-run=client --output yaml`;
    const { status, output } = runProgram('bash', ['-c', dry]);
    expect(status, output).toBe(0);
    const { metadata, data } = parse(output);
    const key = container.env.find(({ name }: { name: string }) => name === 'QUERN_MASTER_KEY');
    const { name, key: field } = key.valueFrom.secretKeyRef;
    expect(metadata.name).toBe(name);
    expect(Buffer.from(data[field], 'base64').toString()).toMatch(/^[\w+/]{43}=$/);
  });

  it('has probes that a server answers, with the variables of the example', async () => {
    const server = await startServer();
    for (const probe of ['startupProbe', 'livenessProbe', 'readinessProbe']) {
      const { status } = await fetch(`${server.server.url}${container[probe].httpGet.path}`);
      expect([probe, status]).toEqual([probe, 200]);
    }
    const missing = await fetch(`${server.server.url}/health/started`);
    expect(missing.status).toBe(404);
  });

  it('runs with the least privileges, on a file system that is read-only outside its volumes', () => {
    const { securityContext } = parse(readRootFile(`${folder}/statefulset.yaml`)).spec.template.spec;
    expect(securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 1000 });
    expect(container.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
    const mounts = container.volumeMounts.map(({ mountPath }: { mountPath: string }) => mountPath);
    expect(mounts).toEqual(['/var/lib/quern', '/tmp']);
  });
});
