import type { ListQuery } from '@trunkline/contract/kit/page'
import { Pick } from '../ui/pick'
import type { Look } from './paging'

/** A filter that a list has beside its text: a choice of a few values. */
export interface ListPick<Row> {
  /** Its name in the address. */
  id: string
  /** Its name on the button: 'Status'. */
  name: string
  /** The values, without the one that filters nothing. */
  options: { value: string; label: string }[]
  /** The words of the value that filters nothing; 'all' unless said. */
  rest?: string
  /** How it is applied when the server gave the whole list. */
  match: (row: Row, value: string) => boolean
  /** How it is asked of a server that pages; without it such a server's list does not have the filter. */
  query?: (value: string) => Partial<ListQuery>
}

export interface ListPicksProps<Row> {
  picks: ListPick<Row>[]
  look: Look
  onChange: (part: Partial<Look>) => void
}

export const ListPicks = <Row,>({ picks, look, onChange }: ListPicksProps<Row>) =>
  picks.map(({ id, name, options, rest = 'all' }) => (
    <Pick
      key={id}
      name={name}
      value={look.picks[id] ?? ''}
      rest=""
      options={[{ value: '', label: rest }, ...options]}
      onChange={(value) => onChange({ picks: { ...look.picks, [id]: value } })}
    />
  ))
