/** Where a tab of the browser keeps its id: it survives a reload, and other tabs do not see it. */
const KEY = 'quern-editor';
const LOCK = 'quern-editor/';
/** How long a reloaded page waits until the browser has closed the page before it. */
const WAIT_MS = 1_000;

let claimed: Promise<string> | undefined;

/**
 * The id of this tab of the browser, which stays the same after a reload. While the page is open it holds a lock, so that
 * others know that its drafts are in use. The copy of a tab gets another id.
 */
export function claimInstance(): Promise<string> {
  claimed ??= claim();
  return claimed;
}

async function claim(): Promise<string> {
  const known = window.sessionStorage.getItem(KEY);
  if (known !== null && (await hold(known))) return known;
  const id = crypto.randomUUID();
  window.sessionStorage.setItem(KEY, id);
  await hold(id);
  return id;
}

/** Takes the lock of an id until the page is closed; false if another page has it. */
function hold(id: string): Promise<boolean> {
  return new Promise((resolve) => {
    const signal = AbortSignal.timeout(WAIT_MS);
    const taken = () => {
      resolve(true);
      return new Promise<never>(() => {});
    };
    navigator.locks.request(LOCK + id, { signal }, taken).catch(() => resolve(false));
  });
}

/** Does `work` while no other tab does the same, with the ids of the tabs that are open now. */
export function withInstances<Result>(work: (open: ReadonlySet<string>) => Promise<Result>): Promise<Result> {
  return navigator.locks.request(LOCK, async () => {
    const { held = [] } = await navigator.locks.query();
    const names = held.map(({ name = '' }) => name).filter((name) => name.startsWith(LOCK));
    return work(new Set(names.map((name) => name.slice(LOCK.length))));
  });
}
