import { useQueryClient } from '@tanstack/react-query'
import { messages } from '@trunkline/contract/messages/application'
import { application } from '@trunkline/contract/resources/application'
import { applicationDraftSchema, applicationChangesSchema } from '@trunkline/contract/shapes/application'
import { AccountField } from '../../fields/record-fields'
import { FlagField } from '../../fields/flag-field'
import { FormTextField } from '../../fields/text-fields'
import { AddAccountFirst } from '../../panels/add-account-first'
import { CopyRecordButton, createCopyName } from '../../kit/record/copy-record'
import { useFirstAccounts } from '../../panels/first-accounts'
import { ResourceForm } from '../../kit/form/form'
import { saveRecord } from '../../kit/record/record'
import { RemoveButton } from '../../kit/record/remove-button'
import { useReadOrRedirect } from '../../kit/form/use-read-or-redirect'
import { RelatedCalls } from '../../panels/related-calls'
import { getFeatureFlags } from '../../lib/feature-flags'
import { paths } from '../../lib/paths'
import { localValues } from '../../lib/storage'
import { useProviderSid } from '../../session/current-provider'
import { useActor } from '../../session/session'
import { Box, KeyValues } from '../../ui/form/box'
import { CopyText } from '../../ui/copy'
import { EmptyState } from '../../ui/feedback/empty-state'
import { Cell, Grid } from '../../ui/form/form-layout'
import { ScreenLayout } from '../../ui/shell/screen-layout'
import { Section } from '../../ui/form/section'
import { fetchVariableErrors, getCachedEnvSchema } from './env-schema'
import { WebhooksSection } from './webhooks'
import { ApplicationSettings } from './page'
import { AppJsonField } from './app-json-field'
import { findApplicationErrors, rethrowDuplicateName, findDuplicateNameErrors } from './rules'
import { SpeechSections } from './speech'
import { listApplicationDependents } from './application-dependents'
import { getApplicationChanges, toApplicationDraft, toApplicationValues, getStoredVariables } from './values'

/** Name, account and call recording. */
const GeneralSection = ({ isAccountUser }: { isAccountUser: boolean }) => (
  <Section title="General">
    <Grid>
      <Cell span={isAccountUser ? 12 : 6}>
        <FormTextField name="name" label="Application name" required maxLength={64} />
      </Cell>
      {isAccountUser ? null : (
        <Cell>
          <AccountField name="account_sid" label="Account" required placeholder="Choose account" />
        </Cell>
      )}
      {getFeatureFlags().callRecording ? (
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

/** Adds or edits an application. Offers to add an account first if there is none, because an application needs one. */
export const ApplicationForm = ({ sid }: { sid?: string }) => {
  const accounts = useFirstAccounts(sid === undefined)
  if (sid !== undefined)
    return (
      <ApplicationSettings sid={sid}>
        <ApplicationRecordForm sid={sid} />
      </ApplicationSettings>
    )
  if (accounts === undefined) return <ScreenLayout title={title.add} />
  if (accounts.length > 0) return <ApplicationRecordForm />
  return (
    <ScreenLayout title={title.add}>
      <EmptyState title={messages.needsAccount}>
        <AddAccountFirst />
      </EmptyState>
    </ScreenLayout>
  )
}

const ApplicationRecordForm = ({ sid }: { sid?: string }) => {
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
      values={(record) => toApplicationValues(record, ownAccountSid ?? localValues.accountFilter.get())}
      body={(values, record) => {
        const schema = getCachedEnvSchema(cache, values)
        return record ? getApplicationChanges(values, record, schema) : toApplicationDraft(values, schema)
      }}
      schema={sid ? applicationChangesSchema : applicationDraftSchema}
      rules={(values) => findApplicationErrors(values, getCachedEnvSchema(cache, values))}
      validateOnServer={async (values, record) => ({
        ...(await fetchVariableErrors(cache, values)),
        ...(await findDuplicateNameErrors(values, record, ownAccountSid)),
      })}
      save={(body, context) =>
        saveRecord(application, context.sid ? { sid: context.sid, changes: body } : { draft: body }).catch(
          rethrowDuplicateName,
        )
      }
      addedMessage={messages.added}
      savedMessage={messages.saved}
      nextPath={(_sid, isNew) => (isNew ? paths.applications.list : undefined)}
      cancelPath={paths.applications.list}
      actions={({ record }) =>
        record ? (
          <>
            <CopyRecordButton resource={application} row={record} addPath={paths.applications.add} />
            <RemoveButton
              resource={application}
              row={record}
              nextPath={paths.applications.list}
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
                items={[
                  { label: 'Application SID', value: <CopyText text={record.application_sid} alwaysShowCopyButton /> },
                ]}
              />
            </Box>
            <RelatedCalls filter={{ application: record.application_sid }} />
          </>
        ) : null
      }
    >
      {({ record, readOnly }) => (
        <>
          <GeneralSection isAccountUser={ownAccountSid !== undefined} />
          <WebhooksSection application_sid={record?.application_sid} storedVariables={getStoredVariables(record)} />
          <AppJsonField />
          <SpeechSections readOnly={readOnly} />
        </>
      )}
    </ResourceForm>
  )
}
