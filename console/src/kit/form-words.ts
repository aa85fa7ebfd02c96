import { capital } from '../lib/capital'
import type { Screened } from './record'

interface Headed {
  of: { noun: { singular: string } }
  sid?: string
  title: { add: string; edit: string }
}

/** The heading of a form. It does not offer to edit what is read-only. */
export const headingOf = ({ of, sid, title }: Headed, isReadOnly: boolean): string => {
  if (sid === undefined) return title.add
  return isReadOnly && title.edit !== title.add ? capital(of.noun.singular) : title.edit
}

/** What lists will call a record with these values; '' where they do not hold all that a title needs. */
export const titleOf = <Row>(of: Pick<Screened<Row>, 'title'>, values: unknown): string => {
  try {
    return of.title(values as Row) ?? ''
  } catch {
    return ''
  }
}
