import { messages } from '@trunkline/contract/messages/application'
import { application } from '@trunkline/contract/resources/application'
import { create, update } from '@trunkline/contract/shapes/application'
import { useFormState, useWatch } from 'react-hook-form'
import { Account } from '../../fields/records'
import { LongText, Text } from '../../fields/text'
import { Webhook } from '../../fields/webhook'
import { ResourceForm } from '../../kit/form'
import { saveOne } from '../../kit/record'
import { RemoveButton } from '../../kit/remove-button'
import { useGuardedRead } from '../../kit/turn-away'
import { paths } from '../../lib/paths'
import { kept } from '../../lib/storage'
import { useProviderSid } from '../../session/provider'
import { useActor } from '../../session/session'
import { Box, KeyValues } from '../../ui/box'
import { CopyText } from '../../ui/copy'
import { Cell, Grid } from '../../ui/form-layout'
import { Section } from '../../ui/section'
import { applicationRules, sayTakenName, takenAmongApplications } from './rules'
import { usesOfApplication } from './uses'
import { applicationChanges, applicationDraft, applicationValues, type ApplicationValues } from './values'

/** A list of verbs that stands in for the first answer of the calling webhook. */
const Program = () => {
  const text = useWatch<ApplicationValues, 'app_json'>({ name: 'app_json' })
  const { errors } = useFormState<ApplicationValues>({ name: 'app_json' })
  return (
    <Section
      title="Application JSON"
      help="A list of verbs that is run instead of asking the calling webhook first."
      fold
      filled={Boolean(text)}
      wrong={Boolean(errors.app_json)}
      summary={text ? 'Filled in' : 'None'}
    >
      <LongText name="app_json" label="Verbs" mono placeholder='[{ "verb": "answer" }]' />
    </Section>
  )
}

/** Adds an application, or edits one. */
export const ApplicationForm = ({ sid }: { sid?: string }) => {
  const actor = useActor()
  const service_provider_sid = useProviderSid()
  const read = useGuardedRead(application, messages.noAccess)
  const own = actor.scope === 'account' ? actor.account_sid : undefined
  return (
    <ResourceForm
      of={application}
      sid={sid}
      title={{ add: 'Add application', edit: 'Edit application' }}
      read={read}
      // who looks at one account's applications adds one to that account
      values={(record) => applicationValues(record, own ?? kept.accountFilter.get())}
      body={(values, record) => (record ? applicationChanges(values, record) : applicationDraft(values))}
      schema={sid ? update : create}
      rules={applicationRules}
      before={(values, record) => takenAmongApplications(values, record, own)}
      save={(body, saving) =>
        saveOne(application, saving.sid ? { sid: saving.sid, changes: body } : { draft: body }).catch(sayTakenName)
      }
      added={messages.added}
      saved={messages.saved}
      after={(_sid, adding) => (adding ? paths.applications.list : undefined)}
      cancel={paths.applications.list}
      actions={({ record }) =>
        record ? (
          <RemoveButton
            of={application}
            row={record}
            to={paths.applications.list}
            removed={({ name }) => messages.removed(name)}
            explain={(row) => usesOfApplication(row, service_provider_sid)}
          />
        ) : null
      }
      aside={({ record }) =>
        record ? (
          <Box title="For the API">
            <KeyValues
              stacked
              items={[{ label: 'Application SID', value: <CopyText text={record.application_sid} always /> }]}
            />
          </Box>
        ) : null
      }
    >
      <Section>
        <Grid>
          <Cell span={own ? 12 : 6}>
            <Text name="name" label="Application name" required maxLength={64} />
          </Cell>
          {own ? null : (
            <Cell>
              <Account name="account_sid" label="Account" required placeholder="Choose account" />
            </Cell>
          )}
        </Grid>
      </Section>
      <Section title="Webhooks">
        <Webhook name="call_hook" label="Calling webhook" required help="Asked what to do when a call comes in." />
      </Section>
      <Section>
        <Webhook
          name="call_status_hook"
          label="Call status webhook"
          required
          help="Told when a call rings, is answered and ends."
        />
      </Section>
      <Section>
        <Webhook
          name="messaging_hook"
          label="Messaging webhook"
          help="Asked what to do when a text message comes in."
        />
      </Section>
      <Program />
    </ResourceForm>
  )
}
