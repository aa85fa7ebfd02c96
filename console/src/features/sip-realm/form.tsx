import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { messages as generalMessages } from '@trunkline/contract/messages/general'
import { messages } from '@trunkline/contract/messages/sip-realm'
import { client } from '@trunkline/contract/resources/client'
import { useRef, useState, type FormEvent } from 'react'
import { useLeaveGuard } from '../../kit/form/leave-guard'
import { refreshAfterChange } from '../../kit/record/record'
import { paths } from '../../lib/paths'
import { Problem, getErrorMessage } from '../../lib/problem'
import { namedQueryKey } from '../../lib/query-keys'
import { requestList } from '../../lib/request-list'
import { SubdomainField } from '../../panels/subdomain-field'
import { useSubdomainCheck } from '../../panels/use-subdomain-check'
import { meQuery } from '../../session/me-query'
import { useActor } from '../../session/session'
import { setOwnRealm, toOwnRealm, type OwnRealm } from '../../session/sip-realm'
import { CopyField } from '../../ui/copy'
import { ConfirmDialog } from '../../ui/dialog/confirm-dialog'
import { FailedState } from '../../ui/feedback/failed-state'
import { FieldSkeleton } from '../../ui/feedback/skeleton'
import { toast } from '../../ui/feedback/toast'
import { Cell, FormBody, Grid, SaveBar } from '../../ui/form/form-layout'
import { ReadOnlyNote } from '../../ui/form/read-only-note'
import { Section } from '../../ui/form/section'
import { Notice } from '../../ui/notice'
import { ScreenLayout } from '../../ui/shell/screen-layout'

/** The number of SIP clients that register with the account's realm; undefined while unknown. */
const useClientCount = (account_sid: string): number | undefined =>
  useQuery({
    queryKey: namedQueryKey('client', 'count', account_sid),
    queryFn: async ({ signal }) => {
      const { total, rows } = await requestList(client.list, { query: { page: 1, page_size: 1 }, signal })
      return total ?? rows.length
    },
    meta: { suppressErrorToast: true },
  }).data

interface RealmFormProps {
  account_sid: string
  /** The realm that the account has; null if it has none. */
  sipRealm: string | null
  rootDomain: string
}

/** The state of the form: the new subdomain, its check, the confirmation, and the change. */
const useRealmChange = ({ account_sid, sipRealm, rootDomain }: RealmFormProps) => {
  const cache = useQueryClient()
  const navigate = useNavigate()
  const [subdomain, setSubdomain] = useState('')
  const [isConfirming, setIsConfirming] = useState(false)
  const [isPending, setIsPending] = useState(false)
  const guard = useLeaveGuard(subdomain !== '')
  const field = useRef<HTMLInputElement>(null)
  const subdomainCheck = useSubdomainCheck({ subdomain, rootDomain, currentRealm: sipRealm ?? undefined })
  const { check, realm, showFailure } = subdomainCheck

  const change = async () => {
    if (!realm) return
    setIsPending(true)
    try {
      await setOwnRealm(account_sid, realm)
      guard.allowLeaving()
      toast.ok(messages.changed(realm))
      void refreshAfterChange(cache, 'account')
      await navigate({ to: paths.accounts.edit(account_sid) })
    } catch (error) {
      setIsPending(false)
      setIsConfirming(false)
      if (error instanceof Problem && error.hasEndedSession) return
      if (error instanceof Problem && error.status >= 400 && error.status < 500) showFailure(error.msg)
      else toast.bad(getErrorMessage(error))
    }
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (check.status !== 'available') field.current?.focus()
    // without a realm, no client has to be updated
    else if (sipRealm === null) void change()
    else setIsConfirming(true)
  }
  return {
    subdomain,
    setSubdomain,
    field,
    subdomainCheck,
    isConfirming,
    setIsConfirming,
    isPending,
    change,
    submit,
    guard,
  }
}

interface ConfirmRealmChangeProps {
  opened: boolean
  sipRealm: string | null
  realm: string | undefined
  clientCount: number | undefined
  pending: boolean
  onConfirm: () => void
  onClose: () => void
}

const ConfirmRealmChange = ({ sipRealm, realm, clientCount, ...dialog }: ConfirmRealmChangeProps) => (
  <ConfirmDialog
    {...dialog}
    title={messages.change}
    question={
      <>
        Change the SIP realm from <strong>{sipRealm}</strong> to <strong>{realm}</strong>?
      </>
    }
    confirmLabel={messages.change}
    tone={clientCount === 0 ? 'primary' : 'danger'}
  >
    {sipRealm === null || clientCount === 0 ? null : (
      <p>
        {messages.clientsRegisterWith(clientCount, sipRealm)}. {messages.clientsStopWorking(clientCount)}
      </p>
    )}
  </ConfirmDialog>
)

const RealmForm = (props: RealmFormProps) => {
  const { account_sid, sipRealm, rootDomain } = props
  const clientCount = useClientCount(account_sid)
  const {
    subdomain,
    setSubdomain,
    field,
    subdomainCheck,
    isConfirming,
    setIsConfirming,
    isPending,
    change,
    submit,
    guard,
  } = useRealmChange(props)
  const { check, realm, checkAgain } = subdomainCheck
  const hasClients = sipRealm !== null && clientCount !== 0
  return (
    <>
      <FormBody
        title={messages.change}
        requiredNote={messages.changeHelp}
        onSubmit={submit}
        saveBar={
          <SaveBar
            submitLabel={messages.change}
            pending={isPending}
            disabled={check.status !== 'available'}
            cancelPath={paths.accounts.edit(account_sid)}
          />
        }
      >
        <Section>
          <Grid>
            {sipRealm === null ? null : (
              <Cell>
                <CopyField label="SIP realm now" text={sipRealm} />
              </Cell>
            )}
            <Cell>
              <SubdomainField
                label={sipRealm === null ? 'Subdomain' : 'New subdomain'}
                withAsterisk
                ref={field}
                value={subdomain}
                rootDomain={rootDomain}
                check={check}
                onChange={setSubdomain}
                onCheckAgain={checkAgain}
              />
            </Cell>
            {hasClients ? (
              <Cell span={12}>
                <Notice tone="warn" title={messages.clientsRegisterWith(clientCount, sipRealm)}>
                  {messages.clientsStopWorking(clientCount)}
                </Notice>
              </Cell>
            ) : null}
          </Grid>
        </Section>
      </FormBody>
      <ConfirmRealmChange
        opened={isConfirming}
        sipRealm={sipRealm}
        realm={realm}
        clientCount={clientCount}
        pending={isPending}
        onConfirm={() => void change()}
        onClose={() => setIsConfirming(false)}
      />
      {guard.dialog}
    </>
  )
}

/** The form, or why the realm cannot be changed. */
const LoadedRealm = ({ account_sid, sipRealm, rootDomain }: OwnRealm & { account_sid: string }) => {
  const { viewOnly } = useActor()
  if (!viewOnly && rootDomain !== null) return <RealmForm {...{ account_sid, sipRealm, rootDomain }} />
  return (
    <ScreenLayout title={viewOnly ? 'SIP realm' : messages.change}>
      <ReadOnlyNote>{viewOnly ? generalMessages.mayNotChange('Account') : messages.noRootDomain}</ReadOnlyNote>
    </ScreenLayout>
  )
}

/** Changes the SIP realm of the user's own account. */
export const SipRealmForm = ({ sid: account_sid = '' }: { sid?: string }) => {
  const { data, error, refetch, isFetching } = useQuery({
    ...meQuery,
    refetchOnMount: 'always',
    refetchOnWindowFocus: false,
  })
  if (data) return <LoadedRealm account_sid={account_sid} {...toOwnRealm(data)} />
  return (
    <ScreenLayout title={messages.change}>
      {error ? (
        <FailedState message={getErrorMessage(error)} onRetry={() => void refetch()} pending={isFetching} />
      ) : (
        <FieldSkeleton />
      )}
    </ScreenLayout>
  )
}
