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
import { useRedirectWithError } from '../../kit/form/use-turn-away'
import { paths } from '../../lib/paths'
import { Problem } from '../../lib/problem'
import { localValues } from '../../lib/storage'
import { useActor } from '../../session/session'
import { Cell, Grid } from '../../ui/form/form-layout'
import { Section } from '../../ui/form/section'
import { toast } from '../../ui/feedback/toast'
import { Credentials } from './credential-fields'
import { CustomVoices } from './custom-voices'
import { removal } from './service-removal'
import { makeSaver, VoiceRefused, wholeService } from './save-service'
import { useSpeechServices } from './service-source'
import { TestBox } from './test-box'
import { forget } from './use-service-test'
import {
  changesOf,
  chosenVendor,
  draftOf,
  serviceFaults,
  serviceValues,
  valuesFor,
  type ServiceValues,
  type WholeService,
} from './values'
import { VendorShown, VendorTiles } from './vendor-tiles'
import { hasVoices, voiceFaults } from './voice-values'

/**
 * Resets the fields to another vendor's defaults, so that no value of the previous vendor is sent. A single reset,
 * because there are many fields.
 */
const begin = (form: UseFormReturn<ServiceValues>, vendor: Vendor) =>
  form.reset({ ...form.getValues(), ...valuesFor(vendor), vendor: vendor.vendor }, { keepDefaultValues: true })

/** Adapts a server error: a clear message for a missing permission, and the field's label instead of its API name. */
const worded = (error: unknown, values: ServiceValues, saved: boolean): unknown => {
  if (!(error instanceof Problem) || error.hasEndedSession) return error
  const { status, msg, field = '' } = error
  if (status === 403 && saved) return new Problem(status, { msg: messages.mayNotChange })
  const label = chosenVendor(values)?.fields.find(({ name }) => name === field)?.label
  return label && msg.startsWith(`${field} `)
    ? new Problem(status, { msg: label + msg.slice(field.length), field })
    : error
}

/** Adds or edits a speech service. The vendor's description defines the fields. */
export const SpeechServiceForm = ({ sid }: { sid?: string }) => {
  const of = useSpeechServices()
  const actor = useActor()
  const cache = useQueryClient()
  const turnAway = useRedirectWithError()
  const [saver] = useState(() => makeSaver(of, sid, (saved) => forget(cache, saved)))
  const own = actor.scope === 'account' ? actor.account_sid : null

  const read = async (asked: string, signal: AbortSignal) => {
    try {
      const found = await wholeService(of, asked, signal)
      saver.knows(found)
      return found
    } catch (error) {
      if (error instanceof Problem && error.status === 403)
        return turnAway(messages.mayNotChange, paths.speech.list, signal)
      throw error
    }
  }

  const save = (values: ServiceValues, saved: boolean) =>
    saver.save(values).catch((error: unknown) => {
      if (!(error instanceof VoiceRefused)) throw worded(error, values, saved)
      void refreshAfterChange(cache, 'speech_credential')
      toast.bad(messages.voicesNotSaved)
      throw error.problem
    })

  return (
    <ResourceForm<SpeechCredential, ServiceValues, WholeService>
      of={of}
      sid={sid}
      title={{ add: 'Add speech service', edit: 'Edit Speech Service' }}
      read={read}
      values={(row) => serviceValues(row, own ?? localValues.accountFilter.get())}
      body={(values, row) => (row ? changesOf(values, row) : draftOf(values))}
      schema={sid ? update : create}
      rules={(values, row) => ({ ...serviceFaults(values, row), ...voiceFaults(values) })}
      save={(_, saving) => save(saving.values, saving.sid !== undefined)}
      mayNotChange={messages.mayNotChange}
      added={messages.added}
      saved={messages.saved}
      after={(_saved, adding) => (adding ? paths.speech.list : undefined)}
      cancel={paths.speech.list}
      actions={({ record }) =>
        record ? <RemoveButton {...removal} of={of} row={record} to={paths.speech.list} /> : null
      }
      aside={({ record, form }) => (record ? <TestBox row={record} dirty={form.formState.isDirty} /> : null)}
    >
      {({ form, record, adding }) => {
        const values = form.watch()
        const vendor = chosenVendor(values)
        return (
          <>
            <Section>
              {record ? (
                <VendorShown stored={record.vendor} vendor={vendor} />
              ) : (
                <VendorTiles onSelect={(picked) => begin(form, picked)} />
              )}
            </Section>
            <Section>
              <Grid>
                {vendor?.isNamedByInstallation && adding ? (
                  <Cell span={12}>
                    <FormTextField name="vendor_name" label="Vendor name" required maxLength={25} />
                  </Cell>
                ) : null}
                {own ? null : (
                  <Cell>
                    <AccountField
                      name="account_sid"
                      label="Account"
                      none="All accounts"
                      called={record?.account_name}
                      readOnly={!adding}
                    />
                  </Cell>
                )}
                <Cell>
                  <FormTextField
                    name="label"
                    label="Label"
                    readOnly={!adding}
                    maxLength={64}
                    help={`Distinguishes several credentials of one vendor.${adding ? " Can't be changed later." : ''}`}
                  />
                </Cell>
              </Grid>
            </Section>
            {vendor ? <Credentials key={vendor.vendor} vendor={vendor} saved={record} values={values} /> : null}
            {vendor && hasVoices(values) ? <CustomVoices vendor={vendor} /> : null}
          </>
        )
      }}
    </ResourceForm>
  )
}
