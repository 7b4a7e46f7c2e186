/** Memoizes a function: it runs at most once for each key. */
export function remember<Key, Value>(ask: (key: Key) => Value): (key: Key) => Value {
  const answers = new Map<Key, { readonly value: Value }>();
  return (key) => {
    const answer = answers.get(key) ?? { value: ask(key) };
    answers.set(key, answer);
    return answer.value;
  };
}
