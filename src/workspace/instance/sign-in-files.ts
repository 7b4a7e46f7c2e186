import { hash, randomBytes } from 'node:crypto';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { OwnerSignIn } from '../../identity/sessions/owner-sign-in.ts';
import { escapeHtml } from '../../text/escape-html.ts';
import type { Home } from '../home/home.ts';

/** The route that accepts the form of a file. */
const ONE_TIME_SIGN_IN = '/console/api/one-time-sign-in';

/** What a file contains. */
interface SignInFileOptions {
  /** The address of the server at the loopback interface. */
  readonly url: string;
  /** The path of a script to open and to run after the sign-in. */
  readonly script?: string | undefined;
}

/** The files that `quern ui` opens in a browser: each signs the home's owner in at the console, once. */
export interface SignInFiles {
  /**
   * Writes a file (mode 0600), and returns its path; null without an active administrator. The file is deleted when its
   * secret is used or expires.
   */
  create(options: SignInFileOptions): string | null;
  /** Deletes all files. */
  close(): void;
}

/** The files of a server. */
export function createSignInFiles({ ui: folder }: Pick<Home, 'ui'>, signIn: OwnerSignIn): SignInFiles {
  return {
    create({ url, script }) {
      const file = path.join(folder, `${randomBytes(8).toString('hex')}.html`);
      const secret = signIn.createSecret(() => rmSync(file, { force: true }));
      if (secret === null) return null;
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      writeFileSync(file, printForm(new URL(url).origin, { secret, script }), { mode: 0o600, flag: 'wx' });
      return file;
    },
    close: () => signIn.close(),
  };
}

/** The values that the form sends. */
interface Fields {
  readonly secret: string;
  readonly script: string | undefined;
}

const SUBMIT = 'document.forms[0].submit()';

/**
 * A page that posts the secret to the server. The secret is not part of the address, because browsers keep addresses in
 * their history, with the fragment.
 */
function printForm(origin: string, { secret, script }: Fields): string {
  const field =
    script === undefined ? '' : `\n<input type="hidden" name="script" value="${escapeHtml(script)}">`;
  const policy = `default-src 'none'; script-src 'sha256-${hash('sha256', SUBMIT, 'base64')}'; form-action ${origin}`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<title>Signing in · Quern</title>
</head>
<body>
<form method="post" action="${origin}${ONE_TIME_SIGN_IN}">
<input type="hidden" name="secret" value="${secret}">${field}
<button>Sign in to Quern</button>
</form>
<script>${SUBMIT}</script>
</body>
</html>
`;
}
