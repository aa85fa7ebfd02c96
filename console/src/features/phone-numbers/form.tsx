import { messages } from '@trunkline/contract/messages/phone-number'
import { phoneNumber } from '@trunkline/contract/resources/phone-number'
import { create, update, type PhoneNumber } from '@trunkline/contract/shapes/phone-number'
import { AccountAndApplication } from '../../fields/account-and-application'
import { CarrierField } from '../../fields/record-fields'
import { FormTextField } from '../../fields/text-fields'
import { ResourceForm } from '../../kit/form/form'
import { saveRecord } from '../../kit/record/record'
import { RemoveButton } from '../../kit/record/remove-button'
import { RelatedCalls } from '../../panels/related-calls'
import { paths } from '../../lib/paths'
import { stripPunctuation, toStoredNumber } from '../../lib/phone-number'
import { Problem } from '../../lib/problem'
import { useProviderSid } from '../../session/current-provider'
import { useActor } from '../../session/session'
import { ButtonLink } from '../../ui/button'
import { EmptyState } from '../../ui/feedback/empty-state'
import { Cell, Grid } from '../../ui/form/form-layout'
import { Page } from '../../ui/shell/page'
import { Section } from '../../ui/form/section'
import { usePrerequisites, type Prerequisites } from './prerequisites'
import { NumberHelp } from './number-help'
import { findDuplicateNumber } from './duplicate-number'

const title = { add: 'Add a phone number', edit: 'Edit phone number' }

/** A type, not an interface: the form library requires an index signature. */
type PhoneNumberValues = {
  number: string
  voip_carrier_sid: string | null
  account_sid: string | null
  application_sid: string | null
}

/**
 * Adds the field to a server error. Every server refuses a duplicate number on the same carrier, but not every one
 * names the field.
 */
const addField = (error: unknown) => {
  if (!(error instanceof Problem)) return error
  if (error.status === 422 && !error.field) return new Problem(422, { msg: messages.duplicateNumber, field: 'number' })
  return /^voip_carrier_sid does not belong/.test(error.msg)
    ? new Problem(error.status, { msg: messages.foreignCarrier, field: 'voip_carrier_sid' })
    : error
}

const save = async (body: unknown, sid: string | undefined) => {
  if (sid !== undefined) return saveRecord(phoneNumber, { sid, changes: body })
  try {
    return await saveRecord(phoneNumber, { draft: body })
  } catch (error) {
    throw addField(error)
  }
}

const PhoneNumberFields = ({
  sid,
  prerequisites,
}: {
  sid?: string
  prerequisites: Pick<Prerequisites, 'carrier' | 'account'>
}) => {
  const actor = useActor()
  const provider = useProviderSid()
  const defaultAccountSid = actor.scope === 'account' ? actor.account_sid : prerequisites.account
  return (
    <ResourceForm<PhoneNumber, PhoneNumberValues>
      resource={phoneNumber}
      sid={sid}
      title={title}
      values={(row) => ({
        number: row?.number ?? '',
        voip_carrier_sid: row ? row.voip_carrier_sid : prerequisites.carrier,
        account_sid: row ? row.account_sid : defaultAccountSid,
        application_sid: row?.application_sid ?? null,
      })}
      body={({ account_sid, application_sid, number, ...otherColumns }, row) =>
        row
          ? { account_sid, application_sid }
          : { ...otherColumns, number: stripPunctuation(number), account_sid, application_sid }
      }
      schema={sid ? update : create}
      validateOnServer={async ({ number }, row) =>
        row ? {} : findDuplicateNumber(number, actor.scope === 'account' ? undefined : provider)
      }
      save={(body, { sid: existingSid }) => save(body, existingSid)}
      addedMessage={messages.added}
      savedMessage={messages.saved}
      nextPath={(_saved, isAdding) => (isAdding ? paths.phoneNumbers.list : undefined)}
      cancel={paths.phoneNumbers.list}
      actions={({ record }) =>
        record ? (
          <RemoveButton
            resource={phoneNumber}
            row={record}
            removedMessage={({ number }) => messages.removed(number)}
            to={paths.phoneNumbers.list}
          />
        ) : null
      }
      aside={({ record }) => (record ? <RelatedCalls filter={{ text: toStoredNumber(record.number) }} /> : null)}
    >
      {({ form, record, adding: isAdding }) => (
        <Section>
          <Grid>
            <Cell>
              <FormTextField
                name="number"
                label="Phone number"
                help={isAdding ? <NumberHelp /> : undefined}
                required={isAdding}
                readOnly={!isAdding}
                mono
                type="tel"
                maxLength={132}
                autoFocus={isAdding}
              />
            </Cell>
            <Cell>
              <CarrierField
                name="voip_carrier_sid"
                label="Carrier"
                required={isAdding}
                readOnly={!isAdding}
                none={record && !record.voip_carrier_sid ? 'None' : undefined}
                selectedName={record?.voip_carrier_name}
                account={form.watch('account_sid')}
              />
            </Cell>
            <AccountAndApplication
              account={{ none: 'None' }}
              application={{ none: messages.chooseApplication, nonePrompts: true }}
            />
          </Grid>
        </Section>
      )}
    </ResourceForm>
  )
}

/** Adds or edits a phone number: its carrier, its account and the application for its calls. */
export const PhoneNumberForm = ({ sid }: { sid?: string }) => {
  const isAdding = sid === undefined
  const prerequisites = usePrerequisites(isAdding)
  if (!isAdding) return <PhoneNumberFields sid={sid} prerequisites={{ carrier: null, account: null }} />
  if (!prerequisites) return <Page title={title.add} />
  if (prerequisites.missing)
    return (
      <Page title={title.add}>
        <EmptyState title={prerequisites.missing.text}>
          {prerequisites.missing.add ? (
            <ButtonLink variant="primary" href={prerequisites.missing.add.href}>
              {prerequisites.missing.add.label}
            </ButtonLink>
          ) : null}
        </EmptyState>
      </Page>
    )
  return <PhoneNumberFields prerequisites={prerequisites} />
}
