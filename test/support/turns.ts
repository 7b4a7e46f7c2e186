/** How many turns of the event loop other tasks had until `promise` is settled. */
export async function countTurns(promise: Promise<unknown>): Promise<number> {
  let turns = 0;
  let isOver = false;
  const take = () => {
    turns += 1;
    if (!isOver) setImmediate(take);
  };
  setImmediate(take);
  await promise.finally(() => {
    isOver = true;
  });
  return turns;
}
