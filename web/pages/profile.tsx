import { Container, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { profileQuery } from '../api/profile.ts';
import { useSession } from '../api/use-session.ts';
import { LoadError } from '../components/load-error.tsx';
import { PageHeader } from '../components/page-header.tsx';
import { AccountSection } from '../components/profile/account-section.tsx';
import { PasswordSection } from '../components/profile/password-section.tsx';
import { ProfileTabs } from '../components/profile/profile-tabs.tsx';
import { SessionsSection } from '../components/profile/sessions-section.tsx';
import { TextsSection } from '../components/profile/texts-section.tsx';
import { SkeletonRows } from '../components/skeleton-rows.tsx';

/** The page of the user's own account: name, password and sessions. */
export function ProfilePage() {
  const { user } = useSession();
  const { data: profile, error, refetch } = useQuery(profileQuery);
  return (
    <Container size="lg" py="xl" key={user.user_name}>
      <Stack gap="lg">
        <PageHeader title="Profile" description="Your account, your password, and where you are signed in." />
        <ProfileTabs />
        {profile === undefined && error !== null && (
          <LoadError title="Your account cannot be shown" error={error} onRetry={() => void refetch()} />
        )}
        {profile === undefined && error === null && (
          <SkeletonRows label="Loading your account" count={2} height={220} />
        )}
        {profile !== undefined && (
          <>
            <AccountSection profile={profile} />
            <PasswordSection profile={profile} />
          </>
        )}
        <SessionsSection />
        <TextsSection />
      </Stack>
    </Container>
  );
}
