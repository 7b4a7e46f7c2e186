import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { toPrincipal } from '../../../src/identity/records/users.ts';
import { openDatabase } from '../../../src/store/database.ts';
import { homeAt } from '../../../src/workspace/home/home.ts';
import { createServices } from '../../../src/workspace/services/services.ts';
import { createHome } from '../../../src/workspace/setup/create-home.ts';
import { makeMetadata } from '../../identity/saml/saml-world.ts';
import { makeFolder } from '../../store/temporary-home.ts';

const ADMIN = { userName: 'admin', email: 'admin@example.org', password: null };

/** The services of a home with this configuration and with SAML settings. */
async function createConfigured(config: string) {
  const folder = makeFolder();
  await createHome(folder, ADMIN);
  writeFileSync(path.join(folder, 'config.toml'), config);
  const database = openDatabase(folder, { clock: () => new Date() });
  onTestFinished(() => database.close());
  const services = createServices(database, homeAt(folder));
  const owner = toPrincipal(services.users.findOwner()!);
  await services.accounts.saml.set(owner, { metadata: await makeMetadata() });
  return services;
}

const BASE = '[server]\nbase_url = "https://quern.example.org/"\n';

describe('the settings of SAML sign-ins', () => {
  it.each([
    ['', false],
    ['[saml]\nbind_super_users = true\n', true],
    ['[saml]\nbind_super_users = false\n', false],
  ])(
    'link administrators by their e-mail address when the configuration allows it: %j',
    async (config, bindSuperUsers) => {
      const { accounts, users } = await createConfigured(BASE + config);
      const { saml, signOn } = accounts;
      expect(saml.findBaseUrl()).toBe('https://quern.example.org');
      const rules = saml.findRules()!;
      expect(rules).toEqual({ jit: false, createGroups: true, bindSuperUsers });
      const email = ADMIN.email;
      const about = { provider: 'saml', issuer: 'urn:idp', subject: email, email, detail: '{}' } as const;
      const rest = { userName: null, firstName: null, lastName: null, groups: null, sessionEndsAt: null };
      const sign = () => signOn.signIn({ ...about, ...rest }, rules, { address: null, requestId: null });
      if (bindSuperUsers) expect(sign().principal.userId).toBe(users.findOwner()!.id);
      else
        expect(sign).toThrow(
          'account-administrator: `admin` is an administrator, and bind_super_users is false',
        );
    },
  );

  it('refuse an unknown setting', async () => {
    const config = `${BASE}[saml]\nbind_superusers = false\n`;
    await expect(createConfigured(config)).rejects.toThrow('did you mean `bind_super_users`?');
  });
});
