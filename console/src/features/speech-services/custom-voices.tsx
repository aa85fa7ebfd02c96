import { messages } from '@trunkline/contract/messages/speech-credential'
import { reportedUsages } from '@trunkline/contract/speech/custom-voice'
import type { Vendor } from '@trunkline/contract/speech/vendor'
import { Plus, Trash2 } from 'lucide-react'
import { useContext, useRef, useState } from 'react'
import { useFormContext, useWatch } from 'react-hook-form'
import { SelectField } from '../../fields/choice-field'
import { FileTextField } from '../../fields/file-field'
import { FlagField } from '../../fields/flag-field'
import { ReadOnlyContext } from '../../fields/form-facts'
import { FormTextField } from '../../fields/text-fields'
import { Button, IconButton } from '../../ui/button'
import { ConfirmDialog } from '../../ui/dialog/confirm-dialog'
import { Cell, Grid } from '../../ui/form/form-layout'
import { Section } from '../../ui/form/section'
import css from './custom-voices.module.css'
import type { ServiceValues } from './values'
import { blankVoice, type VoiceValues } from './voice-values'

const usages = reportedUsages.map(({ value, name }) => ({ value, label: name }))

const Voice = ({ place, onRemove }: { place: number; onRemove: () => void }) => {
  const readOnly = useContext(ReadOnlyContext)
  const at = `voices.${place}`
  const { use_voice_cloning_key, saved_key } = useWatch<ServiceValues>({ name: at }) as VoiceValues
  return (
    <div className={css.voice} role="group" aria-label={`Custom voice ${place + 1}`}>
      <Grid>
        <Cell>
          <FormTextField name={`${at}.name`} label="Name" required maxLength={64} />
        </Cell>
        <Cell span={4}>
          <SelectField name={`${at}.reported_usage`} label="Reported usage" required options={usages} />
        </Cell>
        <Cell span={2} level>
          {readOnly ? null : <IconButton icon={Trash2} label={`Delete custom voice ${place + 1}`} onClick={onRemove} />}
        </Cell>
        <Cell span={12}>
          <FlagField name={`${at}.use_voice_cloning_key`} label="Use a voice cloning key" />
        </Cell>
        <Cell span={12}>
          {use_voice_cloning_key ? (
            <FileTextField
              name={`${at}.key`}
              label="Voice cloning key"
              required={saved_key === ''}
              instruction={saved_key ? 'A key is saved. Leave empty to keep it.' : undefined}
            />
          ) : (
            <FormTextField name={`${at}.model`} label="Model" required mono maxLength={512} />
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
  const add = useRef<HTMLButtonElement>(null)
  const [asking, setAsking] = useState(false)
  const [used, voices] = watch(['use_custom_voices', 'voices']) as [number, VoiceValues[]]
  const saved = ((formState.defaultValues?.voices ?? []) as VoiceValues[]).filter((each) => each.saved).length
  const keep = () => {
    setAsking(false)
    setValue('use_custom_voices', 1, { shouldDirty: true })
  }
  const change = (next: VoiceValues[]) => {
    clearErrors('voices')
    setValue('voices', next, { shouldDirty: true })
  }
  const append = () => {
    change([...voices, blankVoice()])
    requestAnimationFrame(() => setFocus(`voices.${voices.length}.name`))
  }
  const remove = (gone: number) => {
    change(voices.filter((_, place) => place !== gone))
    // the focused element was removed
    add.current?.focus()
  }
  const { message } = (formState.errors.voices ?? {}) as { message?: string }
  return (
    <Section
      title="Custom voices"
      help={`Voices that ${vendor.name} made for you, in addition to its public voices.`}
      error={message}
    >
      <div className={css.voices}>
        <FlagField
          name="use_custom_voices"
          label="Use custom voices"
          onSelect={(picked) => setAsking(picked === 0 && saved > 0)}
        />
        {used || asking ? (
          <>
            {voices.map(({ id }, place) => (
              <Voice key={id} place={place} onRemove={() => remove(place)} />
            ))}
            {readOnly ? null : (
              <div>
                <Button ref={add} size="sm" icon={Plus} onClick={append}>
                  Add custom voice
                </Button>
              </div>
            )}
          </>
        ) : null}
      </div>
      <ConfirmDialog
        opened={asking}
        title="Delete custom voices"
        question={messages.confirmVoiceRemoval(saved)}
        confirm="Delete"
        onConfirm={() => setAsking(false)}
        onClose={keep}
      />
    </Section>
  )
}
