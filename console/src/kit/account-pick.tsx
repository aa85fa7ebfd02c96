import { level } from '@trunkline/contract/policy/actor'
import { useActor } from '../session/session'
import { Pick } from '../ui/pick'
import { useNames } from './name-of'

export interface AccountPickProps {
  label: string
  /** An account's sid, or '' for all. */
  value: string
  onChange: (sid: string) => void
}

/** The account filter of a list; nothing for those who see one account only. */
export const AccountPick = ({ label, value, onChange }: AccountPickProps) => {
  const actor = useActor()
  const above = level[actor.scope] > level.account
  const { data, isPending } = useNames('account', above)
  if (!above) return null
  const names = [...(data ?? [])].map(([sid, name]) => ({ value: sid, label: name }))
  const options = names.toSorted((one, other) => one.label.localeCompare(other.label))
  return (
    <Pick
      name={label}
      value={value}
      rest=""
      loading={isPending}
      searchable
      options={[{ value: '', label: 'All accounts' }, ...options]}
      onChange={onChange}
    />
  )
}
