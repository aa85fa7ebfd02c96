import { messages } from '@trunkline/contract/messages/client'
import { client } from '@trunkline/contract/resources/client'
import { create, update, type Client } from '@trunkline/contract/shapes/client'
import { useState } from 'react'
import { FlagField } from '../../fields/flag-field'
import { AccountField } from '../../fields/record-fields'
import { SecretField } from '../../fields/secret-field'
import { FormTextField } from '../../fields/text-fields'
import { ResourceForm } from '../../kit/form/form'
import { fetchRecord, saveRecord } from '../../kit/record/record'
import { RemoveButton } from '../../kit/record/remove-button'
import { useRedirectWithError } from '../../kit/form/use-turn-away'
import { paths } from '../../lib/paths'
import { Problem, getErrorMessage } from '../../lib/problem'
import { localValues } from '../../lib/storage'
import { useActor } from '../../session/session'
import { Box } from '../../ui/form/box'
import { CopyText } from '../../ui/copy'
import { Cell, Grid } from '../../ui/form/form-layout'
import { Section } from '../../ui/form/section'
import { useRealmOf } from './realm-hint'

/** A type, not an interface: the form library requires an index signature. */
type Values = {
  account_sid: string | null
  username: string
  password: string
  is_active: number
  allow_direct_app_calling: number
  allow_direct_queue_calling: number
  allow_direct_user_calling: number
}

const fresh: Values = {
  account_sid: null,
  username: '',
  password: '',
  is_active: 1,
  allow_direct_app_calling: 1,
  allow_direct_queue_calling: 1,
  allow_direct_user_calling: 1,
}

/** Returns the form values. A server may omit a flag; then the default of a new client applies. */
const valuesOf = (row: Client): Values =>
  Object.fromEntries(Object.entries(fresh).map(([name, usual]) => [name, row[name as keyof Values] ?? usual])) as Values

/** Rethrows the server's duplicate username error on its field, with the console's wording. */
const taken = (error: unknown): never => {
  if (error instanceof Problem && /username already exists/i.test(error.msg))
    throw new Problem(error.status, { msg: messages.duplicateUsername, field: 'username' })
  throw error
}

/**
 * Adds or edits a SIP client: the username and password of a device. Both are fixed after creation; the permissions of
 * its calls are not.
 */
export const ClientForm = ({ sid }: { sid?: string }) => {
  const actor = useActor()
  const own = actor.scope === 'account' ? actor.account_sid : localValues.accountFilter.get()
  const [account_sid, setAccount] = useState(sid ? null : own)
  const realm = useRealmOf(account_sid)
  const turnAway = useRedirectWithError()
  const read = async (asked: string, signal: AbortSignal) => {
    try {
      const found = await fetchRecord(client, asked, signal)
      setAccount(found.account_sid)
      return found
    } catch (error) {
      if (signal.aborted || (error instanceof Problem && error.hasEndedSession)) throw error
      return turnAway(getErrorMessage(error), paths.clients.list, signal)
    }
  }
  return (
    <ResourceForm<Client, Values>
      of={client}
      sid={sid}
      title={{ add: 'Add SIP client', edit: 'Edit SIP client' }}
      read={read}
      values={(row) => (row ? valuesOf(row) : { ...fresh, account_sid: own })}
      body={({ account_sid: belongs, username, password, ...flags }, row) =>
        row ? flags : { ...flags, account_sid: belongs, username: username.trim(), password }
      }
      schema={sid ? update : create}
      blocked={() => (realm === null ? messages.noRealm : undefined)}
      save={(body, { sid: known }) =>
        saveRecord(client, known ? { sid: known, changes: body } : { draft: body }).catch(taken)
      }
      added={messages.added}
      saved={messages.saved}
      after={(_made, adding) => (adding ? paths.clients.list : undefined)}
      cancel={paths.clients.list}
      actions={({ record }) =>
        record ? (
          <RemoveButton
            of={client}
            row={record}
            label="Delete user"
            removed={() => messages.removedOnPage}
            to={paths.clients.list}
          />
        ) : null
      }
      aside={() =>
        realm ? (
          <Box title="SIP realm">
            <CopyText text={realm} always />
          </Box>
        ) : null
      }
    >
      {({ adding }) => (
        <>
          <Section>
            <Grid>
              <Cell>
                <FormTextField
                  name="username"
                  label="Username"
                  required={adding}
                  readOnly={!adding}
                  mono
                  maxLength={64}
                  autoFocus={adding}
                />
              </Cell>
              <Cell>
                <SecretField name="password" label="Password" required={adding} readOnly={!adding} maxLength={256} />
              </Cell>
              <Cell span={12}>
                <FlagField name="is_active" label="Active" />
              </Cell>
            </Grid>
          </Section>
          <Section title="Direct calling" help="What this client may call directly, without an application.">
            <Grid>
              <Cell span={12}>
                <FlagField name="allow_direct_app_calling" label="Allow direct calling to applications" />
              </Cell>
              <Cell span={12}>
                <FlagField name="allow_direct_queue_calling" label="Allow direct calling to queues" />
              </Cell>
              <Cell span={12}>
                <FlagField name="allow_direct_user_calling" label="Allow direct calling to other users" />
              </Cell>
            </Grid>
          </Section>
          {actor.scope === 'account' ? null : (
            <Section>
              <Grid>
                <Cell>
                  <AccountField
                    name="account_sid"
                    label="Belongs to"
                    required={adding}
                    readOnly={!adding}
                    placeholder="Choose account"
                    onSelect={setAccount}
                  />
                </Cell>
              </Grid>
            </Section>
          )}
        </>
      )}
    </ResourceForm>
  )
}
