import css from './check-mark.module.css'

export interface CheckMarkProps {
  label: string
  checked: boolean
  /** Only some of the items are checked. */
  mixed?: boolean
  disabled?: boolean
  onChange: () => void
}

/** A checkbox with an accessible name but no visible label. */
export const CheckMark = ({ label, checked, mixed, disabled, onChange }: CheckMarkProps) => (
  <input
    type="checkbox"
    className={css.box}
    aria-label={label}
    checked={checked}
    disabled={disabled}
    ref={(node) => {
      if (node) node.indeterminate = !!mixed
    }}
    onChange={onChange}
  />
)
