/** Opens a database of this browser. Rejects if the browser does not support it. */
export function openDatabase(name: string, create: (database: IDBDatabase) => void): Promise<IDBDatabase> {
  const opening = indexedDB.open(name, 1);
  opening.onupgradeneeded = () => create(opening.result);
  return settle(opening);
}

/** The result of a request. */
export function settle<Value>(request: IDBRequest<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

/** Changes a store, and waits until the browser has kept the change. */
export function write(
  database: IDBDatabase,
  name: string,
  act: (store: IDBObjectStore) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const transaction = database.transaction(name, 'readwrite');
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error ?? new Error('the browser did not keep the text'));
    act(transaction.objectStore(name));
    // Without this call, a page that is being closed would lose the change.
    transaction.commit();
  });
}

/** The keys that begin with a user. */
export function rangeOf(user: string): IDBKeyRange {
  return IDBKeyRange.bound([user], [user, []]);
}
