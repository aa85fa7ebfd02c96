import { messages } from '@trunkline/contract/messages/speech-credential'
import { reportedUsages } from '@trunkline/contract/speech/custom-voice'
import type { Vendor } from '@trunkline/contract/speech/vendor'
import { Plus, Trash2 } from 'lucide-react'
import { useContext, useRef, useState } from 'react'
import { useFormContext, useWatch } from 'react-hook-form'
import { SelectField } from '../../fields/select-field'
import { FileTextField } from '../../fields/file-field'
import { FlagField } from '../../fields/flag-field'
import { ReadOnlyContext } from '../../fields/field-registry'
import { FormTextField } from '../../fields/text-fields'
import { Button, IconButton } from '../../ui/button'
import { ConfirmDialog } from '../../ui/dialog/confirm-dialog'
import { Cell, Grid } from '../../ui/form/form-layout'
import { Section } from '../../ui/form/section'
import css from './custom-voices.module.css'
import type { ServiceValues } from './values'
import { createEmptyVoice, type VoiceValues } from './voice-values'

const usageOptions = reportedUsages.map(({ value, name }) => ({ value, label: name }))

const CustomVoiceRow = ({ index, onRemove }: { index: number; onRemove: () => void }) => {
  const readOnly = useContext(ReadOnlyContext)
  const path = `voices.${index}`
  const { use_voice_cloning_key, saved_key } = useWatch<ServiceValues>({ name: path }) as VoiceValues
  return (
    <div className={css.voice} role="group" aria-label={`Custom voice ${index + 1}`}>
      <Grid>
        <Cell>
          <FormTextField name={`${path}.name`} label="Name" required maxLength={64} />
        </Cell>
        <Cell span={4}>
          <SelectField name={`${path}.reported_usage`} label="Reported usage" required options={usageOptions} />
        </Cell>
        <Cell span={2} alignWithInput>
          {readOnly ? null : <IconButton icon={Trash2} label={`Delete custom voice ${index + 1}`} onClick={onRemove} />}
        </Cell>
        <Cell span={12}>
          <FlagField name={`${path}.use_voice_cloning_key`} label="Use a voice cloning key" />
        </Cell>
        <Cell span={12}>
          {use_voice_cloning_key ? (
            <FileTextField
              name={`${path}.key`}
              label="Voice cloning key"
              required={saved_key === ''}
              instruction={saved_key ? 'A key is saved. Leave empty to keep it.' : undefined}
            />
          ) : (
            <FormTextField name={`${path}.model`} label="Model" required mono maxLength={512} />
          )}
        </Cell>
      </Grid>
    </div>
  )
}

/** Custom voices that the vendor made for a customer. They are saved after the service, because they refer to it. */
export const CustomVoices = ({ vendor }: { vendor: Vendor }) => {
  const { watch, setValue, clearErrors, setFocus, formState } = useFormContext<ServiceValues>()
  const readOnly = useContext(ReadOnlyContext)
  const addButton = useRef<HTMLButtonElement>(null)
  const [isConfirming, setIsConfirming] = useState(false)
  const [isEnabled, voices] = watch(['use_custom_voices', 'voices']) as [number, VoiceValues[]]
  const storedCount = ((formState.defaultValues?.voices ?? []) as VoiceValues[]).filter(
    (voice) => voice.isStored,
  ).length
  const keepCustomVoices = () => {
    setIsConfirming(false)
    setValue('use_custom_voices', 1, { shouldDirty: true })
  }
  const setVoices = (nextVoices: VoiceValues[]) => {
    clearErrors('voices')
    setValue('voices', nextVoices, { shouldDirty: true })
  }
  const append = () => {
    setVoices([...voices, createEmptyVoice()])
    requestAnimationFrame(() => setFocus(`voices.${voices.length}.name`))
  }
  const remove = (removedIndex: number) => {
    setVoices(voices.filter((_, index) => index !== removedIndex))
    // the focused element was removed
    addButton.current?.focus()
  }
  const { message: listError } = (formState.errors.voices ?? {}) as { message?: string }
  return (
    <Section
      title="Custom voices"
      help={`Voices that ${vendor.name} made for you, in addition to its public voices.`}
      error={listError}
    >
      <div className={css.voices}>
        <FlagField
          name="use_custom_voices"
          label="Use custom voices"
          onSelect={(value) => setIsConfirming(value === 0 && storedCount > 0)}
        />
        {/* the voices stay visible until the user confirms their deletion */}
        {isEnabled || isConfirming ? (
          <>
            {voices.map(({ id }, index) => (
              <CustomVoiceRow key={id} index={index} onRemove={() => remove(index)} />
            ))}
            {readOnly ? null : (
              <div>
                <Button ref={addButton} size="sm" icon={Plus} onClick={append}>
                  Add custom voice
                </Button>
              </div>
            )}
          </>
        ) : null}
      </div>
      <ConfirmDialog
        opened={isConfirming}
        title="Delete custom voices"
        question={messages.confirmVoiceRemoval(storedCount)}
        confirmLabel="Delete"
        onConfirm={() => setIsConfirming(false)}
        onClose={keepCustomVoices}
      />
    </Section>
  )
}
