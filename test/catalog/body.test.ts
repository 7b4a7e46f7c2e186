import { describe, expect, it } from 'vitest';
import * as room from '../../src/catalog/body.ts';
import { assetChange, folderChange, newAsset, newFolder } from '../../src/server/catalog/schemas.ts';
import { refusalOf } from './world.ts';

// A body as its route reads it, and the catalog checks it.
const checkNewFolder = (body: unknown) => room.checkNewFolder(newFolder.readOnUse(body));
const checkNewAsset = (body: unknown) => room.checkNewAsset(newAsset.readOnUse(body));
const checkFolderChange = (body: unknown) => room.checkFolderChange(folderChange.readOnUse(body));
const checkAssetChange = (body: unknown) => room.checkAssetChange(assetChange.readOnUse(body));

const folder = { parent_path: '@Shared', name: 'n' };
const asset = { ...folder, content: '' };

function detailOf(act: () => unknown): string {
  const { status, detail } = refusalOf(act);
  expect(status).toBe(400);
  return detail;
}

describe('a body', () => {
  it.each(['text', 7, true, [], [folder]])('that is %j is not an object', (body) => {
    expect(detailOf(() => checkNewFolder(body))).toBe('Body must be a JSON object');
  });

  it.each([undefined, null, {}])('that is %j has no fields', (body) => {
    expect(detailOf(() => checkNewFolder(body))).toBe('Parent path is required');
    expect(detailOf(() => checkAssetChange(body))).toBe('Name or content is required');
    expect(checkFolderChange(body)).toEqual({});
  });

  it('may have unknown fields', () => {
    expect(checkNewFolder({ ...folder, colour: 1 })).toEqual({
      parentPath: '@Shared',
      name: 'n',
      type: 'REGULAR_FOLDER',
      description: '',
    });
  });

  it('treats null as an absent field', () => {
    const nothing = { folder_type: null, description: null };
    expect(checkNewFolder({ ...folder, ...nothing }).type).toBe('REGULAR_FOLDER');
    expect(detailOf(() => checkNewFolder({ ...folder, parent_path: null }))).toBe('Parent path is required');
    expect(detailOf(() => checkNewFolder({ ...folder, name: null }))).toBe('Name is required');
    expect(detailOf(() => checkNewAsset({ ...asset, content: null }))).toBe('Content is required');
    expect(detailOf(() => checkAssetChange({ name: null, content: null }))).toBe(
      'Name or content is required',
    );
  });

  it.each([
    ['parent_path', 'Parent path must be a string'],
    ['name', 'Name must be a string'],
    ['folder_type', 'Invalid value for folder_type'],
    ['content', 'Content must be a string'],
    ['description', 'Description must be a string'],
  ])('has the type of the field %s checked', (field, detail) => {
    const check = field === 'folder_type' ? checkNewFolder : checkNewAsset;
    for (const value of [7, true, {}, ['x']]) {
      expect(detailOf(() => check({ ...asset, [field]: value }))).toBe(detail);
    }
  });

  it('is refused for its first invalid field, even if a later one has the wrong type', () => {
    expect(detailOf(() => checkNewFolder({ name: 7 }))).toBe('Parent path is required');
    const named = { ...asset, name: 'a/b' };
    expect(detailOf(() => checkNewAsset({ ...named, content: 7 }))).toBe("Name cannot contain '/' character");
    expect(detailOf(() => checkNewFolder({ ...named, folder_type: 7 }))).toBe(
      "Name cannot contain '/' character",
    );
  });

  it('is checked in the order of the error table', () => {
    const wrong = { parent_path: 1, name: 2, content: 3, folder_type: 4, description: 5 };
    const order: string[] = [];
    const right: Record<string, unknown> = { ...wrong };
    for (const [field, value] of Object.entries({ ...asset, folder_type: 'PROJECT', description: '' })) {
      order.push(detailOf(() => (field === 'folder_type' ? checkNewFolder(right) : checkNewAsset(right))));
      right[field] = value;
    }
    expect(order).toEqual([
      'Parent path must be a string',
      'Name must be a string',
      'Content must be a string',
      'Invalid value for folder_type',
      'Description must be a string',
    ]);
  });
});

describe('a name', () => {
  it.each([
    'x',
    ' x ',
    '...',
    '.a',
    'project.toml',
    '😀'.repeat(255),
    'a\\b',
    '@Shared',
    'e\u0301',
    '\u202e',
  ])('may be %j', (name) => {
    expect(checkNewFolder({ ...folder, name }).name).toBe(name);
  });

  it.each([
    ['', 'Name is required'],
    ['/', "Name cannot contain '/' character"],
    ['/'.repeat(300), "Name cannot contain '/' character"],
    ['😀'.repeat(256), 'Name exceeds maximum length of 255 characters'],
    ['x'.repeat(100_000), 'Name exceeds maximum length of 255 characters'],
    ['.', 'Name is not allowed'],
    ['..', 'Name is not allowed'],
    ['a\nb', 'Name is not allowed'],
    ['\u0000', 'Name is not allowed'],
    ['\u007f', 'Name is not allowed'],
    ['\u0085', 'Name is not allowed'],
    ['a\ud800', 'Name must be well-formed Unicode'],
  ])('must not be %j', (name, detail) => {
    expect(detailOf(() => checkNewFolder({ ...folder, name }))).toBe(detail);
  });

  it('is absent from an update when it is empty', () => {
    expect(checkFolderChange({ name: '' })).toEqual({});
    expect(detailOf(() => checkAssetChange({ name: '' }))).toBe('Name or content is required');
  });
});

describe('a content', () => {
  const limit = 15_728_640;

  it('may have 15 MB of UTF-8, or be empty', () => {
    const content = 'é'.repeat(limit / 2);
    expect(checkNewAsset({ ...asset, content }).content).toHaveLength(limit / 2);
    expect(checkAssetChange({ content: '' }).content).toBe('');
  });

  it('must not have one byte more', () => {
    const content = `${'é'.repeat(limit / 2)}x`;
    expect(detailOf(() => checkNewAsset({ ...asset, content }))).toBe('Content exceeds the 15 MB size limit');
    expect(detailOf(() => checkAssetChange({ content }))).toBe('Content exceeds the 15 MB size limit');
  });

  it('may be sent with a megabyte of description', () => {
    const description = 'é'.repeat(512 * 1024);
    expect(checkNewAsset({ ...asset, description })).toMatchObject({ description });
    const detail = 'Description exceeds the 1 MB size limit';
    expect(detailOf(() => checkNewFolder({ ...folder, description: `${description}x` }))).toBe(detail);
    expect(detailOf(() => checkAssetChange({ description: `${description}x` }))).toBe(detail);
  });

  it('must be valid Unicode', () => {
    const content = "select '\udc00'";
    expect(detailOf(() => checkNewAsset({ ...asset, content }))).toBe('Content must be well-formed Unicode');
    const description = '\ud83d';
    expect(detailOf(() => checkNewAsset({ ...asset, description }))).toBe(
      'Description must be well-formed Unicode',
    );
  });
});
