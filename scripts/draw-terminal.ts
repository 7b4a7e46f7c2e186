// Draws docs/images/terminal.svg, the README's picture of a terminal, from the output of the built command line.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { drawPicture } from './picture/draw-picture.ts';
import { recordSession } from './picture/record-session.ts';

const picture = drawPicture(await recordSession());
writeFileSync(path.resolve(import.meta.dirname, '../docs/images/terminal.svg'), picture);
