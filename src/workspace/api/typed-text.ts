export { readTyped } from '../../engine/script/params/typed-text.ts';
