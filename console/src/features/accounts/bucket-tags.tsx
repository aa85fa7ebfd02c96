import type { BucketTag } from '@trunkline/contract/calls/bucket'
import { Plus, Trash2 } from 'lucide-react'
import { useContext, useRef } from 'react'
import { useFormContext } from 'react-hook-form'
import { ReadOnlyContext } from '../../fields/form-facts'
import { Text } from '../../fields/text-fields'
import { Button, IconButton } from '../../ui/button'
import css from './bucket-tags.module.css'
import type { AccountValues } from './values'

const tags = 'bucket_credential.tags' as const

/** Tags, as name and value, that are stored with each recording. */
export const BucketTags = () => {
  const { watch, setValue, clearErrors, setFocus } = useFormContext<AccountValues>()
  const readOnly = useContext(ReadOnlyContext)
  const add = useRef<HTMLButtonElement>(null)
  const rows = watch(tags)
  // not the form library's field arrays: they show errors on a new row before the user has touched it
  const change = (next: BucketTag[]) => {
    clearErrors(tags)
    setValue(tags, next, { shouldDirty: true })
  }
  const append = () => {
    change([...rows, { Key: '', Value: '' }])
    requestAnimationFrame(() => setFocus(`${tags}.${rows.length}.Key`))
  }
  const remove = (gone: number) => {
    change(rows.filter((_, row) => row !== gone))
    // the focused element was removed
    add.current?.focus()
  }
  return (
    <div role="group" aria-label="Tags" className={css.tags}>
      <p className={css.title}>Tags</p>
      <p className={css.help}>Saved with each recording for search and billing.</p>
      {rows.map((_, row) => (
        <div key={row} className={css.row} role="group" aria-label={`Tag ${row + 1}`}>
          <Text name={`${tags}.${row}.Key`} label="Tag name" required maxLength={128} />
          <Text name={`${tags}.${row}.Value`} label="Tag value" required maxLength={256} />
          {readOnly ? null : (
            <span className={css.remove}>
              <IconButton icon={Trash2} label={`Delete tag ${row + 1}`} onClick={() => remove(row)} />
            </span>
          )}
        </div>
      ))}
      {readOnly ? null : (
        <div>
          <Button ref={add} size="sm" icon={Plus} onClick={append}>
            Add tag
          </Button>
        </div>
      )}
    </div>
  )
}
