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
import { ScreenLayout } from '../../../ui/shell/screen-layout'
import { TextField } from '../../../ui/form/text-field'
import { SipDialogView } from '../flow/sip-dialog-view'
import { SipDialogList } from './sip-dialog-list'
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
 * Captured SIP without a call record, such as a failed registration. All users can open a SIP dialog by its
 * Call-ID; administrators can also list and search all SIP dialogs.
 */
export const CapturedSip = () => {
  const {
    call_id = '',
    text = '',
    dialogue: dialogType = '',
  }: Partial<Record<string, string>> = useSearch({ strict: false })
  const navigate = useNavigate()
  const actor = useActor()
  const { data: capabilities } = useQuery(capabilitiesQuery)
  const openSearch = (search: Record<string, string>) => void navigate({ to: paths.captures, search })
  if (call_id) return <SipDialogView key={call_id} callId={call_id} />
  const canList = actor.scope === 'admin' && capabilities?.captures === true
  return (
    <ScreenLayout title={messages.title}>
      <SearchForm
        key={text}
        label={canList ? messages.search : messages.callId}
        value={text}
        onSearch={(nextText) => openSearch(canList ? { text: nextText, dialogue: dialogType } : { call_id: nextText })}
      />
      {canList ? (
        <SipDialogList key={`${text} ${dialogType}`} text={text} dialogType={dialogType} onChange={openSearch} />
      ) : capabilities ? (
        <EmptyState icon={Inbox} title={messages.enterCallId} text={messages.accessHint} />
      ) : null}
    </ScreenLayout>
  )
}
