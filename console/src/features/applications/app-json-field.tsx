import { messages } from '@trunkline/contract/messages/application'
import { findUnknownVerbs } from '@trunkline/contract/telephony/verbs'
import { useFormState, useWatch } from 'react-hook-form'
import { FormTextArea } from '../../fields/text-fields'
import { Muted } from '../../ui/muted'
import { Section } from '../../ui/form/section'
import type { ApplicationValues } from './values'

/** The app JSON: verbs that replace the calling webhook's first response. */
export const AppJsonField = () => {
  const appJson = useWatch<ApplicationValues, 'app_json'>({ name: 'app_json' })
  const { errors } = useFormState<ApplicationValues>({ name: 'app_json' })
  const unknownVerbNames = appJson ? findUnknownVerbs(appJson) : []
  return (
    <Section
      title="Application JSON"
      help="Verbs to run without asking the calling webhook."
      collapsible
      hasContent={Boolean(appJson)}
      hasError={Boolean(errors.app_json)}
      summary={appJson ? 'Filled in' : 'None'}
    >
      <FormTextArea name="app_json" label="Verbs" mono placeholder='[{ "verb": "answer" }]' />
      {unknownVerbNames.length > 0 ? <Muted>{messages.appJson.unknownVerbs(unknownVerbNames)}</Muted> : null}
    </Section>
  )
}
