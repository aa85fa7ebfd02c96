import css from './registration-steps.module.css'

const stepCount = 3

/** How far a registration is: 'Step 1 of 3'. */
export const RegistrationSteps = ({ step }: { step: 1 | 2 | 3 }) => (
  <span className={css.steps}>
    <span className={css.bars} aria-hidden="true">
      {Array.from({ length: stepCount }, (_, index) => (
        <i key={index} data-done={index < step || undefined} />
      ))}
    </span>
    Step {step} of {stepCount}
  </span>
)
