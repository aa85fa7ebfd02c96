import { CheckMark } from '../check-mark'
import css from './menu-check.module.css'

export interface MenuCheckProps {
  label: string
  checked: boolean
  onChange: (checked: boolean) => void
}

/** A setting in the user menu that is on or off. */
export const MenuCheck = ({ label, checked, onChange }: MenuCheckProps) => (
  <label className={css.check}>
    {label}
    <CheckMark label={label} checked={checked} onChange={() => onChange(!checked)} />
  </label>
)
