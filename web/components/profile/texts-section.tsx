import { Button, Text } from '@mantine/core';
import { useState } from 'react';
import { forgetTexts } from '../../api/editor/forget-texts.ts';
import { useSession } from '../../api/use-session.ts';
import { ConfirmDialog } from '../confirm-dialog.tsx';
import { notify } from '../notify.ts';
import { Section } from '../section.tsx';

/** Forgets the texts of the editor that this browser keeps. */
export function TextsSection() {
  const { user_name: user } = useSession().user;
  const [isAsking, setAsking] = useState(false);
  return (
    <Section
      title="Texts in this browser"
      description="The editor keeps queries, texts that are not saved, closed texts and the values of parameters in this browser, also after you sign out."
    >
      <div>
        <Button variant="default" onClick={() => setAsking(true)}>
          Forget my texts in this browser
        </Button>
      </div>
      {isAsking && (
        <ConfirmDialog
          title="Forget your texts in this browser?"
          submitLabel="Forget them"
          failure="The texts were not forgotten"
          action={() => forgetTexts(user)}
          onDone={() => {
            setAsking(false);
            notify('Forgot your texts in this browser');
          }}
          onClose={() => setAsking(false)}
        >
          <Text>
            Your queries, the changes of scripts that are not saved, and the closed texts are lost. Scripts in
            the catalog stay. Close other tabs of this browser first: texts that are open there stay there.
          </Text>
        </ConfirmDialog>
      )}
    </Section>
  );
}
