import { messages } from '@trunkline/contract/messages/phone-number'
import { phoneNumber } from '@trunkline/contract/resources/phone-number'
import {
  phoneNumberDraftSchema,
  phoneNumberChangesSchema,
  type PhoneNumber,
} from '@trunkline/contract/shapes/phone-number'
import { AccountAndApplication } from '../../fields/account-and-application'
import { CarrierField } from '../../fields/record-fields'
import { FormTextField } from '../../fields/text-fields'
import { ResourceForm } from '../../kit/form/form'
import type { FormState } from '../../kit/form/form-props'
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
import { ScreenLayout } from '../../ui/shell/screen-layout'
import { Section } from '../../ui/form/section'
import { PhoneNumberSettings } from './page'
import { usePrerequisites, type Prerequisites } from './prerequisites'
import { NumberHelp } from './number-help'
import { findDuplicateNumberErrors } from './duplicate-number'

const title = { add: 'Add a phone number', edit: 'Edit phone number' }

/** The form values of a phone number. A type, not an interface: the form library requires an index signature. */
type PhoneNumberValues = {
  number: string
  voip_carrier_sid: string | null
  account_sid: string | null
  application_sid: string | null
}

/**
 * Adds the field and a clear message to a server error. Every server refuses a duplicate number on the same carrier, but
 * some do not name the field.
 */
const addErrorField = (error: unknown) => {
  if (!(error instanceof Problem)) return error
  if (error.status === 422 && !error.field) return new Problem(422, { msg: messages.duplicateNumber, field: 'number' })
  return /^voip_carrier_sid does not belong/.test(error.msg)
    ? new Problem(error.status, { msg: messages.foreignCarrier, field: 'voip_carrier_sid' })
    : error
}

const savePhoneNumber = async (body: unknown, sid: string | undefined) => {
  if (sid !== undefined) return saveRecord(phoneNumber, { sid, changes: body })
  try {
    return await saveRecord(phoneNumber, { draft: body })
  } catch (error) {
    throw addErrorField(error)
  }
}

/** The number, its carrier, its account and the application for its calls. Only the latter two can change. */
const PhoneNumberSection = ({ form, record, isNew }: FormState<PhoneNumber, PhoneNumberValues>) => (
  <Section>
    <Grid>
      <Cell>
        <FormTextField
          name="number"
          label="Phone number"
          help={isNew ? <NumberHelp /> : undefined}
          required={isNew}
          readOnly={!isNew}
          mono
          type="tel"
          maxLength={132}
          autoFocus={isNew}
        />
      </Cell>
      <Cell>
        <CarrierField
          name="voip_carrier_sid"
          label="Carrier"
          required={isNew}
          readOnly={!isNew}
          noneLabel={record && !record.voip_carrier_sid ? 'None' : undefined}
          selectedName={record?.voip_carrier_name}
          accountSid={form.watch('account_sid')}
        />
      </Cell>
      <AccountAndApplication
        account={{ noneLabel: 'None' }}
        application={{ noneLabel: messages.chooseApplication, showsNoneAsPlaceholder: true }}
      />
    </Grid>
  </Section>
)

interface PhoneNumberRecordFormProps {
  sid?: string
  /** The initial values of a new number. */
  defaults?: Pick<Prerequisites, 'carrierSid' | 'accountSid'>
}

const PhoneNumberRecordForm = ({ sid, defaults }: PhoneNumberRecordFormProps) => {
  const actor = useActor()
  const service_provider_sid = useProviderSid()
  const defaultAccountSid = actor.scope === 'account' ? actor.account_sid : (defaults?.accountSid ?? null)
  return (
    <ResourceForm<PhoneNumber, PhoneNumberValues>
      resource={phoneNumber}
      sid={sid}
      title={title}
      values={(row) => ({
        number: row?.number ?? '',
        voip_carrier_sid: row ? row.voip_carrier_sid : (defaults?.carrierSid ?? null),
        account_sid: row ? row.account_sid : defaultAccountSid,
        application_sid: row?.application_sid ?? null,
      })}
      body={({ account_sid, application_sid, number, ...otherColumns }, row) =>
        row
          ? { account_sid, application_sid }
          : { ...otherColumns, number: stripPunctuation(number), account_sid, application_sid }
      }
      schema={sid ? phoneNumberChangesSchema : phoneNumberDraftSchema}
      validateOnServer={async ({ number }, row) =>
        row ? {} : findDuplicateNumberErrors(number, actor.scope === 'account' ? undefined : service_provider_sid)
      }
      save={(body, { sid: existingSid }) => savePhoneNumber(body, existingSid)}
      addedMessage={messages.added}
      savedMessage={messages.saved}
      nextPath={(_sid, isNew) => (isNew ? paths.phoneNumbers.list : undefined)}
      cancelPath={paths.phoneNumbers.list}
      actions={({ record }) =>
        record ? (
          <RemoveButton
            resource={phoneNumber}
            row={record}
            removedMessage={({ number }) => messages.removed(number)}
            nextPath={paths.phoneNumbers.list}
          />
        ) : null
      }
      aside={({ record }) =>
        record?.number ? <RelatedCalls filter={{ text: toStoredNumber(record.number) }} /> : null
      }
    >
      {(state) => <PhoneNumberSection {...state} />}
    </ResourceForm>
  )
}

/** Adds or edits a phone number. A new number needs an account and a carrier; without them, shows what is missing. */
export const PhoneNumberForm = ({ sid }: { sid?: string }) => {
  const isNew = sid === undefined
  const prerequisites = usePrerequisites(isNew)
  if (!isNew)
    return (
      <PhoneNumberSettings sid={sid}>
        <PhoneNumberRecordForm sid={sid} />
      </PhoneNumberSettings>
    )
  if (!prerequisites) return <ScreenLayout title={title.add} />
  if (prerequisites.missing)
    return (
      <ScreenLayout title={title.add}>
        <EmptyState title={prerequisites.missing.text}>
          {prerequisites.missing.add ? (
            <ButtonLink variant="primary" href={prerequisites.missing.add.href}>
              {prerequisites.missing.add.label}
            </ButtonLink>
          ) : null}
        </EmptyState>
      </ScreenLayout>
    )
  return <PhoneNumberRecordForm defaults={prerequisites} />
}
