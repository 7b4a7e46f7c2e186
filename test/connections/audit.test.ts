import { describe, expect, it } from 'vitest';
import { createWorld, fileBody, refusalOf, serverBody } from './world.ts';

describe('the audit log', () => {
  it('has every change of a connection, without its secrets, and no refused change', () => {
    const { connections, database, owner, guest } = createWorld();
    connections.create(owner, serverBody('pg'));
    connections.replace(owner, serverBody('pg'));
    connections.replace(owner, fileBody('shop'));
    refusalOf(() => connections.create(owner, fileBody('pg')));
    refusalOf(() => connections.delete(owner, 'duckdb'));
    refusalOf(() => connections.delete(guest, 'pg'));
    connections.delete(owner, 'pg');
    const rows = database
      .statement("SELECT * FROM audit_log WHERE action LIKE 'connection.%' ORDER BY id")
      .all();
    expect(rows).toMatchObject([
      { actor: 'admin', action: 'connection.create', object: 'pg', result: 'done' },
      { action: 'connection.replace', object: 'pg' },
      { action: 'connection.create', object: 'shop' },
      { action: 'connection.delete', object: 'pg' },
    ]);
    expect(rows).toHaveLength(4);
    expect(JSON.stringify(rows)).not.toContain('hunter2');
  });
});
