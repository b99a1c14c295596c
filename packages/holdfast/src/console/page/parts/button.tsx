import type { ComponentProps } from "preact";

type ButtonProps = ComponentProps<"button"> & {
	/** While true, pressing the button does nothing. */
	readonly off: boolean;
};

/** A button that keeps the focus while off; a `disabled` one loses it, and the keyboard starts again at the top. */
export function Button({ off, onClick, ...rest }: ButtonProps) {
	return (
		<button
			{...rest}
			aria-disabled={off}
			onClick={(event) => {
				// Enter in a field clicks the submit button, so the form must be stopped here.
				if (off) event.preventDefault();
				else onClick?.(event);
			}}
		/>
	);
}
