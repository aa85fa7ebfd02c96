import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { messages } from '@trunkline/contract/messages/capture'
import { Inbox, Search } from 'lucide-react'
import { useState, type FormEvent } from 'react'
import { capabilitiesQuery } from '../../../lib/server-capabilities'
import { paths } from '../../../lib/paths'
import { useActor } from '../../../session/session'
import { Button } from '../../../ui/button'
import { EmptyState } from '../../../ui/feedback/empty-state'
import { Page } from '../../../ui/shell/page'
import { TextField } from '../../../ui/form/text-field'
import { CapturedDialogueView } from '../flow/captured-dialogue-view'
import { DialogueList } from './dialogue-list'
import css from './captured-sip.module.css'

interface SearchFormProps {
  label: string
  value: string
  onSearch: (text: string) => void
}

const SearchForm = ({ label, value, onSearch }: SearchFormProps) => {
  const [text, setText] = useState(value)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onSearch(text.trim())
  }
  return (
    <form role="search" className={css.search} onSubmit={submit}>
      <TextField
        size="large"
        label={label}
        type="search"
        autoComplete="off"
        spellCheck={false}
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
      />
      <Button type="submit" size="lg" icon={Search}>
        Search
      </Button>
    </form>
  )
}

/**
 * Captured SIP without a call record, such as a failed registration. All users can open a dialogue by its Call-ID;
 * administrators can also list and search all dialogues.
 */
export const CapturedSip = () => {
  const { call_id = '', text = '', dialogue = '' }: Partial<Record<string, string>> = useSearch({ strict: false })
  const navigate = useNavigate()
  const actor = useActor()
  const { data: capabilities } = useQuery(capabilitiesQuery)
  const showSearch = (search: Record<string, string>) => void navigate({ to: paths.captures, search })
  if (call_id) return <CapturedDialogueView key={call_id} callId={call_id} />
  const canList = actor.scope === 'admin' && capabilities?.captures === true
  return (
    <Page title={messages.title}>
      <SearchForm
        key={text}
        label={canList ? messages.search : messages.callId}
        value={text}
        onSearch={(nextText) => showSearch(canList ? { text: nextText, dialogue } : { call_id: nextText })}
      />
      {canList ? (
        <DialogueList key={`${text} ${dialogue}`} text={text} dialogue={dialogue} onChange={showSearch} />
      ) : capabilities ? (
        <EmptyState icon={Inbox} title={messages.enterCallId} text={messages.accessHint} />
      ) : null}
    </Page>
  )
}
