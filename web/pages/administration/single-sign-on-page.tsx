import { Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { serverQuery } from '../../api/administration/server.ts';
import {
  type SingleSignOnSearch,
  samlQuery,
  samlTestQuery,
} from '../../api/administration/single-sign-on.ts';
import { ApiError } from '../../api/request.ts';
import classes from '../../components/administration/administration-page.module.css';
import { AdministrationPage } from '../../components/administration/administration-page.tsx';
import { Certificates } from '../../components/administration/single-sign-on/certificates.tsx';
import { FailedSignIns } from '../../components/administration/single-sign-on/failed-sign-ins.tsx';
import { Mapping } from '../../components/administration/single-sign-on/mapping.tsx';
import { OurSide } from '../../components/administration/single-sign-on/our-side.tsx';
import { SignInTest } from '../../components/administration/single-sign-on/sign-in-test.tsx';
import { SwitchOn } from '../../components/administration/single-sign-on/switch-on.tsx';
import { TheirSide } from '../../components/administration/single-sign-on/their-side.tsx';
import { LockIcon } from '../../components/icons.tsx';
import { LoadError } from '../../components/load-error.tsx';
import { Message } from '../../components/message-page.tsx';
import { SkeletonRows } from '../../components/skeleton-rows.tsx';

const route = getRouteApi('/signed-in/administration/single-sign-on');

/** Single sign-on by SAML, for administrators (docs/guides/single-sign-on.md). */
export function SingleSignOnPage() {
  return (
    <AdministrationPage title="Single sign-on">
      <div className={classes.sections}>
        <Content />
      </div>
    </AdministrationPage>
  );
}

function Content() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const change = (changed: SingleSignOnSearch) =>
    void navigate({ search: (before) => ({ ...before, ...changed }), replace: true });
  const { data: saml, ...samlState } = useQuery(samlQuery);
  const { data: server, ...serverState } = useQuery(serverQuery);
  const tested = useQuery({ ...samlTestQuery(search.test ?? ''), enabled: search.test !== undefined });
  if (saml === undefined || server === undefined) {
    const { error, refetch } = samlState.error === null ? serverState : samlState;
    if (error instanceof ApiError && error.status === 409) return <NeedsHttps text={error.message} />;
    return error === null ? (
      <SkeletonRows label="Loading the settings" count={5} height={120} />
    ) : (
      <LoadError
        title="The settings of single sign-on cannot be shown"
        error={error}
        onRetry={() => void refetch()}
      />
    );
  }
  const baseUrl = server.address ?? window.location.origin;
  const test = search.test === undefined ? undefined : tested.data;
  return (
    <Stack gap="lg">
      <OurSide saml={saml} baseUrl={baseUrl.replace(/\/$/, '')} />
      <TheirSide saml={saml} key={saml?.metadata_url} />
      {saml !== null && (
        <>
          <Mapping saml={saml} test={test} />
          <SignInTest
            test={test}
            error={search.test === undefined ? null : tested.error}
            onStart={(id) => change({ test: id })}
          />
          <SwitchOn saml={saml} isTested={test?.outcome?.passed === true} />
          <Certificates saml={saml} />
        </>
      )}
      <FailedSignIns reference={search.reference} onReference={(reference) => change({ reference })} />
    </Stack>
  );
}

/** What to set before single sign-on can be set up. */
function NeedsHttps({ text }: { readonly text: string }) {
  return (
    <Message icon={<LockIcon size={24} />} title="Single sign-on needs HTTPS" text={`${text}.`}>
      <Link to="/administration/settings" search={{ q: 'address' }}>
        The setting of the address
      </Link>
    </Message>
  );
}
