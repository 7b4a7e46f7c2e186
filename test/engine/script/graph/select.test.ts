import { describe, expect, it } from 'vitest';
import { Graph, printNode } from '../../../../src/engine/script/graph/graph.ts';
import { selectNodes, selectTests } from '../../../../src/engine/script/graph/select.ts';
import { loadProgram } from '../../../../src/engine/script/load/load-program.ts';
import { createParseCache } from '../../../../src/engine/script/load/parse-cache.ts';
import { toProject, toSelection } from '../../run/build/building.ts';

const PACKAGES = {
  raw: `
#+src sql Orders() #+meta { :tags ["nightly", "raw"] } #+begin SELECT 1 AS id #+end
#+macro From() #+begin FROM {{ Orders() }} #+end
#+test sql OrdersHaveIds() #+begin SELECT * {{ From() }} WHERE id IS NULL #+end
`,
  mart: `
#+import "raw"
#+src sql Daily() #+meta { :publication { :type "table", :name "daily" } } #+begin SELECT * FROM {{ raw.Orders() }} #+end
#+src sql Weekly() #+meta { :publication { :type "table", :name "weekly" } } #+begin FROM {{ Daily() }} #+end
#+src sql Other() #+meta { :publication { :type "table", :name "other" } } #+begin SELECT 1 AS id #+end
#+test sql DailyIsThere() #+meta { :tags ["nightly"] } #+begin SELECT * FROM {{ Daily() }} WHERE false #+end
`,
  more: '#+src sql Other() #+begin SELECT 2 AS id #+end',
};
const graph = new Graph(loadProgram(toProject(PACKAGES), {}, createParseCache()));

const list = (select: typeof selectNodes, include: readonly string[], exclude: readonly string[] = []) =>
  select(graph, toSelection(PACKAGES, { include, exclude }))
    .map(printNode)
    .map((name) => name.replace('acme/', ''))
    .sort();

describe('selectors of a build', () => {
  it.each([
    [['acme/mart'], ['mart.Daily', 'mart.DailyIsThere', 'mart.Other', 'mart.Weekly']],
    [['acme/raw'], ['raw.Orders', 'raw.OrdersHaveIds']],
    [['Daily'], ['mart.Daily', 'mart.DailyIsThere']],
    [['acme/mart.Weekly'], ['mart.Weekly']],
    [['acme/mart/Weekly'], ['mart.Weekly']],
    [['+Daily'], ['mart.Daily', 'mart.DailyIsThere', 'raw.Orders', 'raw.OrdersHaveIds']],
    [['Daily+'], ['mart.Daily', 'mart.DailyIsThere', 'mart.Weekly']],
    [['+Daily+'], ['mart.Daily', 'mart.DailyIsThere', 'mart.Weekly', 'raw.Orders', 'raw.OrdersHaveIds']],
    [['tag:nightly'], ['mart.DailyIsThere', 'raw.Orders', 'raw.OrdersHaveIds']],
    [['tag:raw+'], ['mart.Daily', 'mart.DailyIsThere', 'mart.Weekly', 'raw.Orders', 'raw.OrdersHaveIds']],
    [['*/Dai*'], ['mart.Daily', 'mart.DailyIsThere']],
    [['+DailyIsThere'], ['mart.Daily', 'mart.DailyIsThere', 'raw.Orders', 'raw.OrdersHaveIds']],
    [['DailyIsThere+'], ['mart.DailyIsThere']],
    [
      ['Weekly', 'Orders'],
      ['mart.Weekly', 'raw.Orders', 'raw.OrdersHaveIds'],
    ],
  ])('%j select %j', (include, expected) => {
    expect(list(selectNodes, include)).toEqual(expected);
  });

  it('select all without any, and exclude a block with its tests', () => {
    expect(list(selectNodes, [])).toHaveLength(7);
    expect(list(selectNodes, ['acme/mart'], ['Daily'])).toEqual(['mart.Other', 'mart.Weekly']);
    expect(list(selectNodes, [], ['acme/mart', 'acme/raw', 'acme/more'])).toEqual([]);
  });

  it.each([
    ['Dayly', 'nothing matches `Dayly`, did you mean `acme/mart.Daily`?'],
    ['', 'nothing matches ``'],
    ['+', 'nothing matches `+`'],
    ['++', 'nothing matches `++`'],
    ['tag:', 'nothing matches `tag:`'],
    ['tag:nigthly', 'nothing matches `tag:nigthly`, did you mean `tag:nightly`?'],
    ['x/*', 'nothing matches `x/*`'],
    ['Other', '`Other` is the name of several blocks: write one of `acme/mart.Other`, `acme/more.Other`'],
    ['main.sql', 'nothing matches `main.sql`: select a package or a block, not a file'],
  ])('%j is refused', (selector, message) => {
    expect(() => list(selectNodes, [selector])).toThrow(message);
    expect(() => list(selectNodes, [], [selector])).toThrow(message);
  });
});

describe('selectors of tests', () => {
  it.each([
    [['acme/mart'], ['mart.DailyIsThere']],
    [['acme/raw'], ['raw.OrdersHaveIds']],
    [['Daily'], ['mart.DailyIsThere']],
    [['Orders'], ['raw.OrdersHaveIds']],
    [['+Weekly'], ['mart.DailyIsThere', 'raw.OrdersHaveIds']],
    [['tag:raw'], ['raw.OrdersHaveIds']],
  ])('%j select %j', (include, expected) => {
    expect(list(selectTests, include)).toEqual(expected);
  });

  it('refuse a selector without tests', () => {
    expect(() => list(selectTests, ['acme/mart.Other'])).toThrow('no test matches `acme/mart.Other`');
  });
});
