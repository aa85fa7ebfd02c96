import { useQueryClient } from '@tanstack/react-query'
import { messages } from '@trunkline/contract/messages/speech-credential'
import {
  speechCredentialDraftSchema,
  speechCredentialChangesSchema,
  type SpeechCredential,
} from '@trunkline/contract/shapes/speech-credential'
import type { Vendor } from '@trunkline/contract/speech/vendor'
import { useState } from 'react'
import { useWatch, type UseFormReturn } from 'react-hook-form'
import { AccountField } from '../../fields/record-fields'
import { FormTextField } from '../../fields/text-fields'
import { ResourceForm } from '../../kit/form/form'
import type { FormState } from '../../kit/form/form-props'
import { refreshAfterChange } from '../../kit/record/record'
import { RemoveButton } from '../../kit/record/remove-button'
import { useRedirectWithError } from '../../kit/form/use-read-or-redirect'
import { paths } from '../../lib/paths'
import { Problem } from '../../lib/problem'
import { localValues } from '../../lib/storage'
import { useActor } from '../../session/session'
import { Cell, Grid, Groups } from '../../ui/form/form-layout'
import { Section } from '../../ui/form/section'
import { toast } from '../../ui/feedback/toast'
import { CredentialFields } from './credential-fields'
import { CustomVoices } from './custom-voices'
import { serviceRemoval } from './service-removal'
import { createServiceSaver, VoiceRefusedError, readService } from './save-service'
import { useServiceResource } from './service-source'
import { TestBox } from './test-box'
import { discardTest } from './use-service-test'
import {
  getServiceChanges,
  findSelectedVendor,
  toServiceDraft,
  findServiceErrors,
  toServiceValues,
  getVendorDefaults,
  type ServiceValues,
  type ServiceWithVoices,
} from './values'
import { FixedVendor, VendorTiles } from './vendor-tiles'
import { supportsVoices, findVoiceErrors } from './voice-values'

/**
 * Resets the fields to another vendor's defaults, so that no value of the previous vendor is sent. A single reset,
 * because there are many fields.
 */
const resetToVendor = (form: UseFormReturn<ServiceValues>, vendor: Vendor) =>
  form.reset({ ...form.getValues(), ...getVendorDefaults(vendor), vendor: vendor.vendor }, { keepDefaultValues: true })

/** Adapts a server error: a clear message for a missing permission, and the field's label instead of its API name. */
const toFormError = (error: unknown, values: ServiceValues, isStored: boolean): unknown => {
  if (!(error instanceof Problem) || error.hasEndedSession) return error
  const { status, msg, field = '' } = error
  if (status === 403 && isStored) return new Problem(status, { msg: messages.mayNotChange })
  const label = findSelectedVendor(values)?.fields.find(({ name }) => name === field)?.label
  return label && msg.split(' ').includes(field)
    ? new Problem(status, { msg: msg.replace(field, label), field })
    : error
}

type ServiceFormState = FormState<ServiceWithVoices, ServiceValues>

/** The owner and label of a service, which are fixed after creation, and the name of a custom vendor. */
const GeneralFields = ({ record, isNew, vendor }: ServiceFormState & { vendor: Vendor | undefined }) => {
  const isAccountUser = useActor().scope === 'account'
  return (
    <Grid>
      {vendor?.isNamedByInstallation && isNew ? (
        <Cell span={12}>
          <FormTextField name="vendor_name" label="Vendor name" required maxLength={25} />
        </Cell>
      ) : null}
      {isAccountUser ? null : (
        <Cell>
          <AccountField
            name="account_sid"
            label="Account"
            noneLabel="All accounts"
            selectedName={record?.account_name}
            readOnly={!isNew}
          />
        </Cell>
      )}
      <Cell>
        <FormTextField
          name="label"
          label="Label"
          readOnly={!isNew}
          maxLength={64}
          help={`Distinguishes several credentials of one vendor.${isNew ? " Can't be changed later." : ''}`}
        />
      </Cell>
    </Grid>
  )
}

/** The sections of the form. Those after the vendor depend on it. */
const ServiceSections = (state: ServiceFormState) => {
  const { form, record } = state
  // not `form.watch`, which would render the complete form again at each key
  const values = useWatch({ control: form.control }) as ServiceValues
  const vendor = findSelectedVendor(values)
  return (
    <>
      <Section title="General">
        <Groups>
          {record ? (
            <FixedVendor storedVendor={record.vendor} vendor={vendor} />
          ) : (
            <VendorTiles onSelect={(nextVendor) => resetToVendor(form, nextVendor)} />
          )}
          <GeneralFields {...state} vendor={vendor} />
        </Groups>
      </Section>
      {vendor ? <CredentialFields key={vendor.vendor} vendor={vendor} storedService={record} values={values} /> : null}
      {vendor && supportsVoices(values) ? <CustomVoices vendor={vendor} /> : null}
    </>
  )
}

/** Adds or edits a speech service. The contract's description of the vendor defines the fields. */
export const SpeechServiceForm = ({ sid }: { sid?: string }) => {
  const resource = useServiceResource()
  const actor = useActor()
  const cache = useQueryClient()
  const redirect = useRedirectWithError()
  const [saver] = useState(() => createServiceSaver(resource, sid, (savedSid) => discardTest(cache, savedSid)))
  const ownAccountSid = actor.scope === 'account' ? actor.account_sid : null

  const read = async (serviceSid: string, signal: AbortSignal) => {
    try {
      const service = await readService(resource, serviceSid, signal)
      saver.setStored(service)
      return service
    } catch (error) {
      if (error instanceof Problem && error.status === 403)
        return redirect(messages.mayNotChange, paths.speech.list, signal)
      throw error
    }
  }

  const save = (values: ServiceValues, isStored: boolean) =>
    saver.save(values).catch((error: unknown) => {
      if (!(error instanceof VoiceRefusedError)) throw toFormError(error, values, isStored)
      void refreshAfterChange(cache, 'speech_credential')
      toast.bad(messages.voicesNotSaved)
      throw error.problem
    })

  return (
    <ResourceForm<SpeechCredential, ServiceValues, ServiceWithVoices>
      resource={resource}
      sid={sid}
      title={{ add: 'Add speech service', edit: 'Edit Speech Service' }}
      read={read}
      values={(row) => toServiceValues(row, ownAccountSid ?? localValues.accountFilter.get())}
      body={(values, row) => (row ? getServiceChanges(values, row) : toServiceDraft(values))}
      schema={sid ? speechCredentialChangesSchema : speechCredentialDraftSchema}
      rules={(values, row) => ({ ...findServiceErrors(values, row), ...findVoiceErrors(values) })}
      save={(_, context) => save(context.values, context.sid !== undefined)}
      viewOnlyReason={messages.mayNotChange}
      addedMessage={messages.added}
      savedMessage={messages.saved}
      nextPath={(_sid, isNew) => (isNew ? paths.speech.list : undefined)}
      cancelPath={paths.speech.list}
      actions={({ record }) =>
        record ? (
          <RemoveButton {...serviceRemoval} resource={resource} row={record} nextPath={paths.speech.list} />
        ) : null
      }
      aside={({ record, form }) =>
        record ? <TestBox row={record} hasUnsavedChanges={form.formState.isDirty} /> : null
      }
    >
      {(state) => <ServiceSections {...state} />}
    </ResourceForm>
  )
}
