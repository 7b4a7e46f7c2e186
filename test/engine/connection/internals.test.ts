import { Socket } from 'node:net';
import mysql from 'mysql2';
import pg from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';
import * as ofMysql from '../../../src/engine/connection/mysql/internals.ts';
import * as ofPg from '../../../src/engine/connection/postgresql/internals.ts';

/** A client of the installed package, which has not signed in. */
function createPgClient(changed: object = {}): pg.Client {
  return Object.assign(new pg.Client({ host: 'localhost', user: 'nobody' }), changed);
}

function createMysqlConnection(changed: object = {}): mysql.Connection {
  const connection = mysql.createConnection({ stream: () => new Socket(), user: 'nobody' });
  onTestFinished(() => connection.destroy());
  return Object.assign(connection, changed);
}

const message = (name: string, property: string) =>
  `the package ${name} no longer has \`${property}\`: adapt the driver to its new version`;

describe('internals of pg', () => {
  it('exist in the installed version', () => {
    const settings: string[] = [];
    const client = createPgClient({ processID: 7, secretKey: 8 });
    ofPg.onSetting(client, (name, value) => settings.push(`${name} ${value}`));
    const { connection } = client as unknown as { connection: NodeJS.EventEmitter };
    connection.emit('parameterStatus', { parameterName: 'server_version', parameterValue: '15.18' });
    expect(settings).toEqual(['server_version 15.18']);
    const { stream } = ofPg.takeOver(client);
    expect(stream).toBeInstanceOf(Socket);
    expect(ofPg.findSocket(client)).toBe(stream);
    expect(Object.keys(createPgClient())).toEqual(expect.arrayContaining(['processID', 'secretKey']));
  });

  it.each<[object, string]>([
    [{ processID: 1, secretKey: 1, connection: {} }, 'Client.connection.stream'],
    [{ processID: 1, secretKey: 1, connection: null }, 'Client.connection.stream'],
    [{ processID: undefined, secretKey: 1 }, 'Client.processID'],
    [{ processID: 1, secretKey: undefined }, 'Client.secretKey'],
  ])('are named in an error if they are missing, as in %j', (changed, property) => {
    expect(() => ofPg.takeOver(createPgClient(changed))).toThrow(message('pg', property));
  });

  it('are named in an error if they report no settings', () => {
    const client = createPgClient({ connection: {} });
    expect(() => ofPg.onSetting(client, () => undefined)).toThrow(message('pg', 'Client.connection.on'));
  });
});

describe('internals of mysql2', () => {
  it('exist in the installed version', () => {
    const connection = createMysqlConnection();
    expect(ofMysql.takeOver(connection)).toEqual({ stream: expect.any(Socket), isExtended: false });
  });

  it.each<[object, string]>([
    [{ stream: {} }, 'Connection.stream'],
    [{ _mariadbExtendedMetadata: undefined }, 'Connection._mariadbExtendedMetadata'],
  ])('are named in an error if they are missing, as in %j', (changed, property) => {
    const connection = createMysqlConnection();
    const { stream } = ofMysql.takeOver(connection);
    onTestFinished(() => void Object.assign(connection, { stream }));
    Object.assign(connection, changed);
    expect(() => ofMysql.takeOver(connection)).toThrow(message('mysql2', property));
  });
});
