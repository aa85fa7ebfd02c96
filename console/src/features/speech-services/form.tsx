import { useQueryClient } from '@tanstack/react-query'
import { messages } from '@trunkline/contract/messages/speech-credential'
import { create, update, type SpeechCredential } from '@trunkline/contract/shapes/speech-credential'
import type { Vendor } from '@trunkline/contract/speech/vendor'
import { useState } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import { AccountField } from '../../fields/record-fields'
import { FormTextField } from '../../fields/text-fields'
import { ResourceForm } from '../../kit/form/form'
import { refreshAfterChange } from '../../kit/record/record'
import { RemoveButton } from '../../kit/record/remove-button'
import { useRedirectWithError } from '../../kit/form/use-read-or-redirect'
import { paths } from '../../lib/paths'
import { Problem } from '../../lib/problem'
import { localValues } from '../../lib/storage'
import { useActor } from '../../session/session'
import { Cell, Grid } from '../../ui/form/form-layout'
import { Section } from '../../ui/form/section'
import { toast } from '../../ui/feedback/toast'
import { CredentialFields } from './credential-fields'
import { CustomVoices } from './custom-voices'
import { serviceRemoval } from './service-removal'
import { createServiceSaver, VoiceRefusedError, readService } from './save-service'
import { useSpeechServices } from './service-source'
import { TestBox } from './test-box'
import { discardTest } from './use-service-test'
import {
  serviceChanges,
  selectedVendor,
  serviceDraft,
  serviceErrors,
  serviceValues,
  vendorDefaults,
  type ServiceValues,
  type ServiceWithVoices,
} from './values'
import { FixedVendor, VendorTiles } from './vendor-tiles'
import { supportsVoices, voiceErrors } from './voice-values'

/**
 * Resets the fields to another vendor's defaults, so that no value of the previous vendor is sent. A single reset,
 * because there are many fields.
 */
const resetToVendor = (form: UseFormReturn<ServiceValues>, vendor: Vendor) =>
  form.reset({ ...form.getValues(), ...vendorDefaults(vendor), vendor: vendor.vendor }, { keepDefaultValues: true })

/** Adapts a server error: a clear message for a missing permission, and the field's label instead of its API name. */
const adaptError = (error: unknown, values: ServiceValues, isStored: boolean): unknown => {
  if (!(error instanceof Problem) || error.hasEndedSession) return error
  const { status, msg, field = '' } = error
  if (status === 403 && isStored) return new Problem(status, { msg: messages.mayNotChange })
  const label = selectedVendor(values)?.fields.find(({ name }) => name === field)?.label
  return label && msg.split(' ').includes(field)
    ? new Problem(status, { msg: msg.replace(field, label), field })
    : error
}

/** Adds or edits a speech service. The vendor's description defines the fields. */
export const SpeechServiceForm = ({ sid }: { sid?: string }) => {
  const resource = useSpeechServices()
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
      if (!(error instanceof VoiceRefusedError)) throw adaptError(error, values, isStored)
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
      values={(row) => serviceValues(row, ownAccountSid ?? localValues.accountFilter.get())}
      body={(values, row) => (row ? serviceChanges(values, row) : serviceDraft(values))}
      schema={sid ? update : create}
      rules={(values, row) => ({ ...serviceErrors(values, row), ...voiceErrors(values) })}
      save={(_, context) => save(context.values, context.sid !== undefined)}
      viewOnlyReason={messages.mayNotChange}
      addedMessage={messages.added}
      savedMessage={messages.saved}
      nextPath={(_saved, isAdding) => (isAdding ? paths.speech.list : undefined)}
      cancel={paths.speech.list}
      actions={({ record }) =>
        record ? <RemoveButton {...serviceRemoval} resource={resource} row={record} to={paths.speech.list} /> : null
      }
      aside={({ record, form }) =>
        record ? <TestBox row={record} hasUnsavedChanges={form.formState.isDirty} /> : null
      }
    >
      {({ form, record, adding: isAdding }) => {
        const values = form.watch()
        const vendor = selectedVendor(values)
        return (
          <>
            <Section>
              {record ? (
                <FixedVendor storedVendor={record.vendor} vendor={vendor} />
              ) : (
                <VendorTiles onSelect={(selectedVendor) => resetToVendor(form, selectedVendor)} />
              )}
            </Section>
            <Section>
              <Grid>
                {vendor?.isNamedByInstallation && isAdding ? (
                  <Cell span={12}>
                    <FormTextField name="vendor_name" label="Vendor name" required maxLength={25} />
                  </Cell>
                ) : null}
                {ownAccountSid ? null : (
                  <Cell>
                    <AccountField
                      name="account_sid"
                      label="Account"
                      none="All accounts"
                      selectedName={record?.account_name}
                      readOnly={!isAdding}
                    />
                  </Cell>
                )}
                <Cell>
                  <FormTextField
                    name="label"
                    label="Label"
                    readOnly={!isAdding}
                    maxLength={64}
                    help={`Distinguishes several credentials of one vendor.${isAdding ? " Can't be changed later." : ''}`}
                  />
                </Cell>
              </Grid>
            </Section>
            {vendor ? (
              <CredentialFields key={vendor.vendor} vendor={vendor} storedService={record} values={values} />
            ) : null}
            {vendor && supportsVoices(values) ? <CustomVoices vendor={vendor} /> : null}
          </>
        )
      }}
    </ResourceForm>
  )
}
