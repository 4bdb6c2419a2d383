# Prints six megabytes, then what is typed.
seq 900000
exec cat
