import { messages } from '@trunkline/contract/messages/client'
import { client } from '@trunkline/contract/resources/client'
import { clientDraftSchema, clientChangesSchema, type Client } from '@trunkline/contract/shapes/client'
import { useState } from 'react'
import { FlagField } from '../../fields/flag-field'
import { AccountField } from '../../fields/record-fields'
import { SecretField } from '../../fields/secret-field'
import { FormTextField } from '../../fields/text-fields'
import { ResourceForm } from '../../kit/form/form'
import { fetchRecord, saveRecord } from '../../kit/record/record'
import { RemoveButton } from '../../kit/record/remove-button'
import { useRedirectWithError } from '../../kit/form/use-read-or-redirect'
import { paths } from '../../lib/paths'
import { Problem, getErrorMessage } from '../../lib/problem'
import { localValues } from '../../lib/storage'
import { useActor } from '../../session/session'
import { Box } from '../../ui/form/box'
import { CopyText } from '../../ui/copy'
import { Cell, Grid } from '../../ui/form/form-layout'
import { Section } from '../../ui/form/section'
import { OwnRealmLink, useRealm } from './realm-hint'

/** The form values of a SIP client. A type, not an interface: the form library requires an index signature. */
type ClientValues = {
  account_sid: string | null
  username: string
  password: string
  is_active: number
  allow_direct_app_calling: number
  allow_direct_queue_calling: number
  allow_direct_user_calling: number
}

const newClient: ClientValues = {
  account_sid: null,
  username: '',
  password: '',
  is_active: 1,
  allow_direct_app_calling: 1,
  allow_direct_queue_calling: 1,
  allow_direct_user_calling: 1,
}

/** Returns the form values. A server may omit a flag; then the default of a new client applies. */
const toClientValues = (row: Client): ClientValues =>
  Object.fromEntries(
    Object.entries(newClient).map(([name, defaultValue]) => [name, row[name as keyof ClientValues] ?? defaultValue]),
  ) as ClientValues

/** Rethrows the server's duplicate username error on its field, with the console's wording. */
const rethrowDuplicateUsername = (error: unknown): never => {
  if (error instanceof Problem && /username already exists/i.test(error.msg))
    throw new Problem(error.status, { msg: messages.duplicateUsername, field: 'username' })
  throw error
}

/** The username and password of the device, which are fixed after creation. */
const CredentialsSection = ({ isNew }: { isNew: boolean }) => (
  <Section>
    <Grid>
      <Cell>
        <FormTextField
          name="username"
          label="Username"
          required={isNew}
          readOnly={!isNew}
          mono
          maxLength={64}
          autoFocus={isNew}
        />
      </Cell>
      <Cell>
        <SecretField name="password" label="Password" required={isNew} readOnly={!isNew} maxLength={256} />
      </Cell>
      <Cell span={12}>
        <FlagField name="is_active" label="Active" />
      </Cell>
    </Grid>
  </Section>
)

const DirectCallingSection = () => (
  <Section title="Direct calling" help="What this client may call directly, without an application.">
    <Grid>
      <Cell span={12}>
        <FlagField name="allow_direct_app_calling" label="Allow direct calling to applications" />
      </Cell>
      <Cell span={12}>
        <FlagField name="allow_direct_queue_calling" label="Allow direct calling to queues" />
      </Cell>
      <Cell span={12}>
        <FlagField name="allow_direct_user_calling" label="Allow direct calling to other SIP clients" />
      </Cell>
    </Grid>
  </Section>
)

/** The account of the client, which is fixed after creation. */
const OwnerSection = ({ isNew, onSelect }: { isNew: boolean; onSelect: (account_sid: string | null) => void }) => (
  <Section>
    <Grid>
      <Cell>
        <AccountField
          name="account_sid"
          label="Belongs to"
          required={isNew}
          readOnly={!isNew}
          placeholder="Choose account"
          onSelect={onSelect}
        />
      </Cell>
    </Grid>
  </Section>
)

/** Adds or edits a SIP client. */
export const ClientForm = ({ sid }: { sid?: string }) => {
  const actor = useActor()
  const defaultAccountSid = actor.scope === 'account' ? actor.account_sid : localValues.accountFilter.get()
  const [account_sid, setAccountSid] = useState(sid ? null : defaultAccountSid)
  const realm = useRealm(account_sid)
  const redirect = useRedirectWithError()
  const read = async (clientSid: string, signal: AbortSignal) => {
    try {
      const row = await fetchRecord(client, clientSid, signal)
      setAccountSid(row.account_sid)
      return row
    } catch (error) {
      if (signal.aborted || (error instanceof Problem && error.hasEndedSession)) throw error
      return redirect(getErrorMessage(error), paths.clients.list, signal)
    }
  }
  return (
    <ResourceForm<Client, ClientValues>
      resource={client}
      sid={sid}
      title={{ add: 'Add SIP client', edit: 'Edit SIP client' }}
      read={read}
      values={(row) => (row ? toClientValues(row) : { ...newClient, account_sid: defaultAccountSid })}
      body={({ username, password, account_sid: selectedAccountSid, ...flags }, row) =>
        row ? flags : { ...flags, account_sid: selectedAccountSid, username: username.trim(), password }
      }
      schema={sid ? clientChangesSchema : clientDraftSchema}
      blockReason={() =>
        realm === null ? (
          <>
            {messages.noRealm} <OwnRealmLink />
          </>
        ) : undefined
      }
      save={(body, { sid: existingSid }) =>
        saveRecord(client, existingSid ? { sid: existingSid, changes: body } : { draft: body }).catch(
          rethrowDuplicateUsername,
        )
      }
      addedMessage={messages.added}
      savedMessage={messages.saved}
      nextPath={(_sid, isNew) => (isNew ? paths.clients.list : undefined)}
      cancelPath={paths.clients.list}
      actions={({ record }) =>
        record ? (
          <RemoveButton
            resource={client}
            row={record}
            label="Delete user"
            removedMessage={() => messages.removedOnScreen}
            nextPath={paths.clients.list}
          />
        ) : null
      }
      aside={() =>
        realm ? (
          <Box title="SIP realm">
            <CopyText text={realm} alwaysShowCopyButton />
          </Box>
        ) : null
      }
    >
      {({ isNew }) => (
        <>
          <CredentialsSection isNew={isNew} />
          <DirectCallingSection />
          {actor.scope === 'account' ? null : <OwnerSection isNew={isNew} onSelect={setAccountSid} />}
        </>
      )}
    </ResourceForm>
  )
}
