import { fallbackColumns, primaryColumns, swapPrimaryAndFallback } from './speech-columns'
import { ArrowUpDown } from 'lucide-react'
import { useState } from 'react'
import { useFormContext, useWatch } from 'react-hook-form'
import { FlagField } from '../../fields/flag-field'
import { Button } from '../../ui/button'
import { Groups } from '../../ui/form/form-layout'
import { Section } from '../../ui/form/section'
import { Recognizer } from './recognizer'
import { PendingFillsContext } from './speech-choice'
import { Synthesis } from './synthesis'
import { MissingCatalogueNote } from './missing-catalogue-note'
import { pickSpeechColumns, type ApplicationValues } from './values'

/**
 * Swaps speech and fallback. Disabled while a catalogue is loading, because its values would fill the wrong columns.
 */
const SwapButton = ({ isPending }: { isPending: boolean }) => {
  const { getValues, setValue } = useFormContext<ApplicationValues>()
  const fallbackVendors = useWatch<
    ApplicationValues,
    ['fallback_speech_synthesis_vendor', 'fallback_speech_recognizer_vendor']
  >({
    name: ['fallback_speech_synthesis_vendor', 'fallback_speech_recognizer_vendor'],
  })
  const swap = () => {
    const swappedColumns = swapPrimaryAndFallback(pickSpeechColumns(getValues()))
    for (const name of [...primaryColumns, ...fallbackColumns])
      setValue(name, swappedColumns[name], { shouldDirty: true })
  }
  return (
    <Button icon={ArrowUpDown} pending={isPending} disabled={!fallbackVendors.some(Boolean)} onClick={swap}>
      Swap primary and fallback
    </Button>
  )
}

/** Speech synthesis and recognition of an application, and the fallback. */
export const SpeechSections = ({ readOnly }: { readOnly: boolean }) => {
  const hasFallback = Boolean(
    useWatch<ApplicationValues, 'use_for_fallback_speech'>({ name: 'use_for_fallback_speech' }),
  )
  const [pendingFills, setPendingFills] = useState(0)
  return (
    <PendingFillsContext value={setPendingFills}>
      <Section title="Speech synthesis" help="Turns text into speech (TTS).">
        <Groups>
          <MissingCatalogueNote />
          <Synthesis prefix="" />
        </Groups>
      </Section>
      <Section title="Speech recognition" help="Turns callers' speech into text (STT).">
        <Recognizer prefix="" />
      </Section>
      <Section
        title="Fallback speech"
        help="Used when a primary vendor fails during a call."
        actions={hasFallback && !readOnly ? <SwapButton isPending={pendingFills > 0} /> : undefined}
      >
        <Groups>
          <FlagField name="use_for_fallback_speech" label="Use a fallback speech vendor" />
          {hasFallback ? (
            <>
              <Synthesis prefix="fallback_" />
              <Recognizer prefix="fallback_" />
            </>
          ) : null}
        </Groups>
      </Section>
    </PendingFillsContext>
  )
}
