import { fallbackColumns, primaryColumns, swapPrimaryAndFallback } from '@trunkline/contract/speech/selection'
import { ArrowUpDown } from 'lucide-react'
import { useState } from 'react'
import { useFormContext, useWatch } from 'react-hook-form'
import { Flag } from '../../fields/flag-field'
import { Button } from '../../ui/button'
import { Groups } from '../../ui/form/form-layout'
import { Section } from '../../ui/form/section'
import { Recognizer } from './recognizer'
import { Waiting } from './speech-choice'
import { Synthesis } from './synthesis'
import { TypedNote } from './missing-catalogue-note'
import { speechOf, type ApplicationValues } from './values'

/**
 * Swaps speech and fallback. Disabled while a catalogue is loading, because its values would fill the wrong columns.
 */
const Swap = ({ pending }: { pending: boolean }) => {
  const { getValues, setValue } = useFormContext<ApplicationValues>()
  const seconds = useWatch<
    ApplicationValues,
    ['fallback_speech_synthesis_vendor', 'fallback_speech_recognizer_vendor']
  >({
    name: ['fallback_speech_synthesis_vendor', 'fallback_speech_recognizer_vendor'],
  })
  const swap = () => {
    const next = swapPrimaryAndFallback(speechOf(getValues()))
    for (const name of [...primaryColumns, ...fallbackColumns]) setValue(name, next[name], { shouldDirty: true })
  }
  return (
    <Button icon={ArrowUpDown} pending={pending} disabled={!seconds.some(Boolean)} onClick={swap}>
      Swap primary and fallback
    </Button>
  )
}

/** Speech synthesis and recognition of an application, and the fallback. */
export const Speech = ({ readOnly }: { readOnly: boolean }) => {
  const fallback = Boolean(useWatch<ApplicationValues, 'use_for_fallback_speech'>({ name: 'use_for_fallback_speech' }))
  const [waiting, setWaiting] = useState(0)
  return (
    <Waiting value={setWaiting}>
      <Section title="Speech synthesis" help="Turns text into speech.">
        <Groups>
          <TypedNote />
          <Synthesis place="" />
        </Groups>
      </Section>
      <Section title="Speech recognition" help="Turns callers' speech into text.">
        <Recognizer place="" />
      </Section>
      <Section
        title="Fallback speech"
        help="Used when the vendor above fails during a call."
        actions={fallback && !readOnly ? <Swap pending={waiting > 0} /> : undefined}
      >
        <Groups>
          <Flag name="use_for_fallback_speech" label="Use a fallback speech vendor" />
          {fallback ? (
            <>
              <Synthesis place="fallback_" />
              <Recognizer place="fallback_" />
            </>
          ) : null}
        </Groups>
      </Section>
    </Waiting>
  )
}
