import { capitalize } from '../../lib/capitalize'
import type { AnyResource } from '../record/record'

interface TitledForm {
  resource: { noun: { singular: string } }
  sid?: string
  title: { add: string; edit: string }
}

/** The heading of a form. A read-only form is not titled 'Edit …'. */
export const getFormHeading = ({ resource, sid, title }: TitledForm, isReadOnly: boolean): string => {
  if (sid === undefined) return title.add
  return isReadOnly && title.edit !== title.add ? capitalize(resource.noun.singular) : title.edit
}

/**
 * The title that lists will show for a record with these values; '' if the values do not contain everything that the
 * title needs.
 */
export const getRecordTitle = <Row>(resource: Pick<AnyResource<Row>, 'title'>, values: unknown): string => {
  try {
    return resource.title(values as Row) ?? ''
  } catch {
    return ''
  }
}
