export { toTypeName } from '../../engine/result/columns/type-names.ts';
