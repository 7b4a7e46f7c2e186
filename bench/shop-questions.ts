import type { SemanticQuery } from '../src/semantic/query/query.ts';
import { ask, toRef, where } from '../test/semantic/ask.ts';

/** A semantic query, and SQL that people would write for it. */
export interface ShopQuestion {
  readonly name: string;
  readonly query: SemanticQuery;
  /** Whether joins repeat rows that must be counted once. */
  readonly fansOut: boolean;
  /** The statements by the name of their method. */
  readonly byHand: Readonly<Record<string, string>>;
}

const plain = (name: string, query: SemanticQuery, sql: string): ShopQuestion => ({
  name,
  query,
  fansOut: false,
  byHand: { 'by hand': sql },
});

const fanOut = (name: string, query: SemanticQuery, rejoin: string, distinct: string): ShopQuestion => ({
  name,
  query,
  fansOut: true,
  byHand: { 'keys and rejoin by hand': rejoin, 'DISTINCT by hand': distinct },
});

const PLAIN: readonly ShopQuestion[] = [
  plain(
    'a star of three joins',
    ask('customers.segment, products.category', 'lines.revenue, lines.quantity'),
    `SELECT c.segment, p.category, SUM(l.price), SUM(l.quantity) FROM lines l
      LEFT JOIN products p ON p.id = l.product_id LEFT JOIN orders o ON o.id = l.order_id
      LEFT JOIN customers c ON c.id = o.customer_id GROUP BY 1, 2`,
  ),
  plain(
    'a filter three joins away',
    ask('orders.status', 'lines.revenue', {
      filters: [
        where('regions.name', 'EQUALS', 'region 3'),
        where('lines.shipped_on', 'IN_DATE_RANGE', '2022-01-01', '2022-12-31'),
      ],
    }),
    `SELECT o.status, SUM(l.price) FROM lines l JOIN orders o ON o.id = l.order_id
      JOIN customers c ON c.id = o.customer_id JOIN regions r ON r.id = c.region_id
      WHERE r.name = 'region 3' AND l.shipped_on BETWEEN DATE '2022-01-01' AND DATE '2022-12-31' GROUP BY 1`,
  ),
  plain(
    'the first 20 of months and categories',
    ask('orders.ordered_on_month, products.category', 'lines.revenue', {
      orderBy: [{ field: toRef('lines.revenue'), desc: true }],
      limit: { fetch: 20, skip: 0 },
    }),
    `SELECT CAST(DATE_TRUNC('month', o.ordered_on) AS DATE), p.category, SUM(l.price) AS revenue FROM lines l
      LEFT JOIN orders o ON o.id = l.order_id LEFT JOIN products p ON p.id = l.product_id
      GROUP BY 1, 2 ORDER BY revenue DESC NULLS LAST LIMIT 20`,
  ),
  plain(
    'COUNT_DISTINCT',
    ask('regions.name', 'orders.buyers'),
    `SELECT r.name, COUNT(DISTINCT o.customer_id) FROM orders o LEFT JOIN customers c ON c.id = o.customer_id
      LEFT JOIN regions r ON r.id = c.region_id GROUP BY 1`,
  ),
  plain(
    'an exact MEDIAN',
    ask('products.category', 'lines.median_price'),
    `SELECT category, AVG(price) FROM (
        SELECT p.category, l.price, ROW_NUMBER() OVER (PARTITION BY p.category ORDER BY l.price) AS place,
          COUNT(*) OVER (PARTITION BY p.category) AS many
        FROM lines l LEFT JOIN products p ON p.id = l.product_id) t
      WHERE 2 * place BETWEEN many AND many + 2 GROUP BY 1`,
  ),
  plain(
    'measures of two entities',
    ask('customers.segment', 'orders.total, tickets.tickets'),
    `SELECT segment, total, COALESCE(tickets, 0) FROM
      (SELECT COALESCE(c.segment, '') AS segment, SUM(o.total) AS total FROM orders o
        LEFT JOIN customers c ON c.id = o.customer_id GROUP BY 1) o
      FULL JOIN (SELECT COALESCE(c.segment, '') AS segment, COUNT(*) AS tickets FROM tickets t
        LEFT JOIN customers c ON c.id = t.customer_id GROUP BY 1) t USING (segment)`,
  ),
];

const FAN_OUT: readonly ShopQuestion[] = [
  fanOut(
    'a to-many dimension',
    ask('orders.status', 'customers.credit, customers.customers'),
    `SELECT k.status, SUM(c.credit), COUNT(*) FROM (
        SELECT DISTINCT c.id, o.status FROM customers c LEFT JOIN orders o ON o.customer_id = c.id) k
      JOIN customers c ON c.id = k.id GROUP BY 1`,
    `SELECT status, SUM(credit), COUNT(*) FROM (
        SELECT DISTINCT c.id, o.status, c.credit FROM customers c LEFT JOIN orders o ON o.customer_id = c.id) t
      GROUP BY 1`,
  ),
  fanOut(
    'a to-many dimension two joins away',
    ask('products.category', 'orders.total, orders.orders'),
    `SELECT k.category, SUM(o.total), COUNT(*) FROM (
        SELECT DISTINCT o.id, p.category FROM orders o LEFT JOIN lines l ON l.order_id = o.id
          LEFT JOIN products p ON p.id = l.product_id) k
      JOIN orders o ON o.id = k.id GROUP BY 1`,
    `SELECT category, SUM(total), COUNT(*) FROM (
        SELECT DISTINCT o.id, p.category, o.total FROM orders o LEFT JOIN lines l ON l.order_id = o.id
          LEFT JOIN products p ON p.id = l.product_id) t
      GROUP BY 1`,
  ),
  fanOut(
    'a to-many dimension of a few filtered rows',
    ask('products.category', 'orders.total', { filters: [where('regions.name', 'EQUALS', 'region 3')] }),
    `SELECT k.category, SUM(o.total) FROM (
        SELECT DISTINCT o.id, p.category FROM orders o JOIN customers c ON c.id = o.customer_id
          JOIN regions r ON r.id = c.region_id LEFT JOIN lines l ON l.order_id = o.id
          LEFT JOIN products p ON p.id = l.product_id WHERE r.name = 'region 3') k
      JOIN orders o ON o.id = k.id GROUP BY 1`,
    `SELECT category, SUM(total) FROM (
        SELECT DISTINCT o.id, p.category, o.total FROM orders o JOIN customers c ON c.id = o.customer_id
          JOIN regions r ON r.id = c.region_id LEFT JOIN lines l ON l.order_id = o.id
          LEFT JOIN products p ON p.id = l.product_id WHERE r.name = 'region 3') t
      GROUP BY 1`,
  ),
  fanOut(
    'a CUSTOM measure and a to-many dimension',
    ask('products.category', 'orders.value'),
    `SELECT k.category, SUM(o.total) / NULLIF(COUNT(*), 0) FROM (
        SELECT DISTINCT o.id, p.category FROM orders o LEFT JOIN lines l ON l.order_id = o.id
          LEFT JOIN products p ON p.id = l.product_id) k
      JOIN orders o ON o.id = k.id GROUP BY 1`,
    `SELECT category, SUM(total) / NULLIF(COUNT(*), 0) FROM (
        SELECT DISTINCT o.id, p.category, o.total FROM orders o LEFT JOIN lines l ON l.order_id = o.id
          LEFT JOIN products p ON p.id = l.product_id) t
      GROUP BY 1`,
  ),
  fanOut(
    'dimensions of two sibling branches',
    ask('orders.status, tickets.topic', 'customers.credit'),
    `SELECT k.status, k.topic, SUM(c.credit) FROM (
        SELECT DISTINCT c.id, o.status, t.topic FROM customers c LEFT JOIN orders o ON o.customer_id = c.id
          LEFT JOIN tickets t ON t.customer_id = c.id) k
      JOIN customers c ON c.id = k.id GROUP BY 1, 2`,
    `SELECT status, topic, SUM(credit) FROM (
        SELECT DISTINCT c.id, o.status, t.topic, c.credit FROM customers c LEFT JOIN orders o ON o.customer_id = c.id
          LEFT JOIN tickets t ON t.customer_id = c.id) k
      GROUP BY 1, 2`,
  ),
  fanOut(
    'a to-many filter that keeps rows without a match',
    ask('orders.status', 'customers.credit', { filters: [where('orders.status', 'NOT_EQUALS', 'status 1')] }),
    `SELECT k.status, SUM(c.credit) FROM (
        SELECT DISTINCT c.id, o.status FROM customers c LEFT JOIN orders o ON o.customer_id = c.id
        WHERE o.status <> 'status 1' OR o.status IS NULL) k
      JOIN customers c ON c.id = k.id GROUP BY 1`,
    `SELECT status, SUM(credit) FROM (
        SELECT DISTINCT c.id, o.status, c.credit FROM customers c LEFT JOIN orders o ON o.customer_id = c.id
        WHERE o.status <> 'status 1' OR o.status IS NULL) t
      GROUP BY 1`,
  ),
  fanOut(
    'EXISTS for a to-many filter',
    ask('customers.segment', 'customers.credit', { filters: [where('tickets.topic', 'EQUALS', 'topic 3')] }),
    `SELECT c.segment, SUM(c.credit) FROM (SELECT DISTINCT customer_id FROM tickets WHERE topic = 'topic 3') k
      JOIN customers c ON c.id = k.customer_id GROUP BY 1`,
    `SELECT segment, SUM(credit) FROM (
        SELECT DISTINCT c.id, c.segment, c.credit FROM customers c JOIN tickets t ON t.customer_id = c.id
        WHERE t.topic = 'topic 3') t
      GROUP BY 1`,
  ),
];

/** Semantic queries to the shop, one for each way of compilation. */
export const SHOP_QUESTIONS: readonly ShopQuestion[] = [...PLAIN, ...FAN_OUT];
