import css from './check-mark.module.css'

export interface CheckMarkProps {
  label: string
  checked: boolean
  /** Some of what it stands for. */
  mixed?: boolean
  disabled?: boolean
  onChange: () => void
}

/** A bare tick box, named but without words beside it. */
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
