import type { BucketTag } from '@trunkline/contract/calls/bucket'
import { Plus, Trash2 } from 'lucide-react'
import { useContext, useRef } from 'react'
import { useFormContext } from 'react-hook-form'
import { ReadOnlyContext } from '../../fields/field-registry'
import { FormTextField } from '../../fields/text-fields'
import { Button, IconButton } from '../../ui/button'
import css from './bucket-tags.module.css'
import type { AccountValues } from './values'

const tagsField = 'bucket_credential.tags' as const

/** Tags, as name and value, that are stored with each recording. */
export const BucketTags = () => {
  const { watch, setValue, clearErrors, setFocus } = useFormContext<AccountValues>()
  const readOnly = useContext(ReadOnlyContext)
  const addButton = useRef<HTMLButtonElement>(null)
  const tags = watch(tagsField)
  // not the form library's field arrays: they show errors on a new row before the user has touched it
  const setTags = (nextTags: BucketTag[]) => {
    clearErrors(tagsField)
    setValue(tagsField, nextTags, { shouldDirty: true })
  }
  const append = () => {
    setTags([...tags, { Key: '', Value: '' }])
    requestAnimationFrame(() => setFocus(`${tagsField}.${tags.length}.Key`))
  }
  const remove = (removedIndex: number) => {
    setTags(tags.filter((_, index) => index !== removedIndex))
    // the focused element was removed
    addButton.current?.focus()
  }
  return (
    <div role="group" aria-label="Tags" className={css.tags}>
      <p className={css.title}>Tags</p>
      <p className={css.help}>Saved with each recording for search and billing.</p>
      {tags.map((_, index) => (
        <div key={index} className={css.row} role="group" aria-label={`Tag ${index + 1}`}>
          <FormTextField name={`${tagsField}.${index}.Key`} label="Tag name" required maxLength={128} />
          <FormTextField name={`${tagsField}.${index}.Value`} label="Tag value" required maxLength={256} />
          {readOnly ? null : (
            <span className={css.remove}>
              <IconButton icon={Trash2} label={`Delete tag ${index + 1}`} onClick={() => remove(index)} />
            </span>
          )}
        </div>
      ))}
      {readOnly ? null : (
        <div>
          <Button ref={addButton} size="sm" icon={Plus} onClick={append}>
            Add tag
          </Button>
        </div>
      )}
    </div>
  )
}
