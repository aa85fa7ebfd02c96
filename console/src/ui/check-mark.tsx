import css from './check-mark.module.css'

export interface CheckMarkProps {
  label: string
  checked: boolean
  /** Only some of the items are checked. */
  mixed?: boolean
  disabled?: boolean
  /** The key that presses the checkbox. */
  'aria-keyshortcuts'?: string
  onChange: () => void
}

/** A checkbox with an accessible name but no visible label. */
export const CheckMark = ({ label, checked, mixed, onChange, ...input }: CheckMarkProps) => (
  <input
    {...input}
    type="checkbox"
    className={css.box}
    aria-label={label}
    checked={checked}
    ref={(node) => {
      if (node) node.indeterminate = !!mixed
    }}
    onChange={onChange}
  />
)
