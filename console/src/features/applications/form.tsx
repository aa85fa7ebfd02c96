import { useQueryClient } from '@tanstack/react-query'
import { messages } from '@trunkline/contract/messages/application'
import { application } from '@trunkline/contract/resources/application'
import { create, update } from '@trunkline/contract/shapes/application'
import { AccountField } from '../../fields/record-fields'
import { FlagField } from '../../fields/flag-field'
import { FormTextField } from '../../fields/text-fields'
import { AddAccountFirst } from '../../panels/add-account-first'
import { DuplicateButton, createCopyName } from '../../kit/record/duplicate'
import { useFirstAccounts } from '../../panels/first-accounts'
import { ResourceForm } from '../../kit/form/form'
import { saveRecord } from '../../kit/record/record'
import { RemoveButton } from '../../kit/record/remove-button'
import { useReadOrRedirect } from '../../kit/form/use-read-or-redirect'
import { RelatedCalls } from '../../panels/related-calls'
import { featureFlags } from '../../lib/feature-flags'
import { paths } from '../../lib/paths'
import { localValues } from '../../lib/storage'
import { useProviderSid } from '../../session/current-provider'
import { useActor } from '../../session/session'
import { Box, KeyValues } from '../../ui/form/box'
import { CopyText } from '../../ui/copy'
import { EmptyState } from '../../ui/feedback/empty-state'
import { Cell, Grid } from '../../ui/form/form-layout'
import { Page } from '../../ui/shell/page'
import { Section } from '../../ui/form/section'
import { fetchVariableErrors, getCachedSchema } from './env-schema'
import { WebhooksSection } from './webhooks'
import { AppJsonField } from './app-json-field'
import { applicationRules, rethrowDuplicateName, findDuplicateName } from './rules'
import { SpeechSections } from './speech'
import { listApplicationDependents } from './application-dependents'
import { applicationChanges, applicationDraft, applicationValues, storedVariables } from './values'

/** Name, account and call recording. */
const General = ({ isAccountUser }: { isAccountUser: boolean }) => (
  <Section>
    <Grid>
      <Cell span={isAccountUser ? 12 : 6}>
        <FormTextField name="name" label="Application name" required maxLength={64} />
      </Cell>
      {isAccountUser ? null : (
        <Cell>
          <AccountField name="account_sid" label="Account" required placeholder="Choose account" />
        </Cell>
      )}
      {featureFlags().callRecording ? (
        <Cell span={12}>
          <FlagField
            name="record_all_calls"
            label="Record all calls"
            help="Recordings are saved to the storage of the account."
          />
        </Cell>
      ) : null}
    </Grid>
  </Section>
)

const title = { add: 'Add application', edit: 'Edit application' }

/** Adds or edits an application. An application needs an account, so without one it offers to add an account. */
export const ApplicationForm = ({ sid }: { sid?: string }) => {
  const accounts = useFirstAccounts(sid === undefined)
  if (sid !== undefined) return <Form sid={sid} />
  if (accounts === undefined) return <Page title={title.add} />
  if (accounts.length > 0) return <Form />
  return (
    <Page title={title.add}>
      <EmptyState title={messages.needsAccount}>
        <AddAccountFirst />
      </EmptyState>
    </Page>
  )
}

const Form = ({ sid }: { sid?: string }) => {
  const actor = useActor()
  const service_provider_sid = useProviderSid()
  const cache = useQueryClient()
  const read = useReadOrRedirect(application, messages.noAccess)
  const ownAccountSid = actor.scope === 'account' ? actor.account_sid : undefined
  return (
    <ResourceForm
      resource={application}
      sid={sid}
      title={title}
      read={read}
      copy={(record) => ({ ...record, name: createCopyName(record.name) })}
      // defaults to the account that the user's lists are filtered by
      values={(record) => applicationValues(record, ownAccountSid ?? localValues.accountFilter.get())}
      body={(values, record) => {
        const schema = getCachedSchema(cache, values)
        return record ? applicationChanges(values, record, schema) : applicationDraft(values, schema)
      }}
      schema={sid ? update : create}
      rules={(values) => applicationRules(values, getCachedSchema(cache, values))}
      validateOnServer={async (values, record) => ({
        ...(await fetchVariableErrors(cache, values)),
        ...(await findDuplicateName(values, record, ownAccountSid)),
      })}
      save={(body, context) =>
        saveRecord(application, context.sid ? { sid: context.sid, changes: body } : { draft: body }).catch(
          rethrowDuplicateName,
        )
      }
      addedMessage={messages.added}
      savedMessage={messages.saved}
      nextPath={(_sid, isAdding) => (isAdding ? paths.applications.list : undefined)}
      cancel={paths.applications.list}
      actions={({ record }) =>
        record ? (
          <>
            <DuplicateButton resource={application} row={record} add={paths.applications.add} />
            <RemoveButton
              resource={application}
              row={record}
              to={paths.applications.list}
              removedMessage={({ name }) => messages.removed(name)}
              findDependentsAfterRefusal={(row) => listApplicationDependents(row, service_provider_sid)}
            />
          </>
        ) : null
      }
      aside={({ record }) =>
        record ? (
          <>
            <Box title="API details">
              <KeyValues
                stacked
                items={[{ label: 'Application SID', value: <CopyText text={record.application_sid} always /> }]}
              />
            </Box>
            <RelatedCalls filter={{ application: record.application_sid }} />
          </>
        ) : null
      }
    >
      {({ record, readOnly }) => (
        <>
          <General isAccountUser={ownAccountSid !== undefined} />
          <WebhooksSection application_sid={record?.application_sid} storedValues={storedVariables(record)} />
          <AppJsonField />
          <SpeechSections readOnly={readOnly} />
        </>
      )}
    </ResourceForm>
  )
}
