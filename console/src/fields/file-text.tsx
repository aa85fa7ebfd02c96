import { Upload } from 'lucide-react'
import { useContext, useRef } from 'react'
import { useFormContext } from 'react-hook-form'
import { Button } from '../ui/button'
import css from './file-text.module.css'
import { ReadOnlyContext } from './form-facts'
import { LongText, type TextProps } from './text'

/** A text that comes out of a file; it can be typed, or mended, as well. */
export const FileText = (props: TextProps) => {
  const { setValue } = useFormContext()
  const readOnly = useContext(ReadOnlyContext)
  const input = useRef<HTMLInputElement>(null)
  const take = async (file: File | undefined) => {
    if (file) setValue(props.name, await file.text(), { shouldDirty: true, shouldTouch: true, shouldValidate: true })
    // the same file can be chosen again after it was changed
    if (input.current) input.current.value = ''
  }
  return (
    <div className={css.field}>
      <LongText {...props} mono />
      {readOnly ? null : (
        <>
          <input
            ref={input}
            type="file"
            hidden
            aria-label={`File for ${props.label}`}
            onChange={(event) => void take(event.currentTarget.files?.[0])}
          />
          <Button
            size="sm"
            icon={Upload}
            onClick={() => input.current?.click()}
            aria-label={`Choose file for ${props.label}`}
          >
            Choose file
          </Button>
        </>
      )}
    </div>
  )
}
